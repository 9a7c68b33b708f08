"""Claims proposed by a language model: pure. What is asked, and what of an answer stands in the document.

`question` cuts a document by section and table and is the prompt and the schema of answers, `ground` turns an answer
into claims or says why it is none. Nothing here asks anybody: that is `pipelines.endpoint`.
"""
