"""Settings of the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Machines of the suite are shared and slow: no deadline per example.
settings.register_profile(
    "suite",
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("suite")
