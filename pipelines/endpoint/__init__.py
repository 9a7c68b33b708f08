"""A language model behind an OpenAI-compatible address, asked and remembered. Off unless an address is set.

`client` asks and waits, `ask` remembers answers by the digest of the question and goes through documents within a
budget. What an answer is worth is judged in `pipelines.extract.model`.
"""
