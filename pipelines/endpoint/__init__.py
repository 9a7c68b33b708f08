"""A language model behind an OpenAI-compatible address, asked and remembered. Off unless an address is set.

`client` asks and waits, `kept` remembers answers by the digest of the question, `ask` goes through documents within a
budget. What an answer is worth is judged in `pipelines.extract.model`.
"""
