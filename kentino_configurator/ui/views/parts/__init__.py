"""Parts that several views are put together from."""
