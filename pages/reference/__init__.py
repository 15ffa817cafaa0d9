"""Adapters to the libraries whose answers ours must equal: tiktoken, tokenizers, Hugging Face.

Each library is imported inside the function that needs it, since some take a second to import.
Nothing here knows of Streamlit, and nothing here is cached: the caller does that.
"""
