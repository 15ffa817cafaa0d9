"""The Cost page: what a language costs with each tokenizer."""
