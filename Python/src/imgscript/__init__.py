"""Search and download images of many sources, with their licences and credits.

>>> from imgscript import Client
>>> with Client(sample=True) as client:
...     for image in client.search("coffee", providers=["pixabay"], limit=2):
...         print(image.ref, "-", image.license.id if image.license else "no licence stated")
pixabay:99100000 - pixabay
pixabay:99103571 - pixabay
"""

from ._client import AsyncClient, Client, Download, DownloadedFile, Failure, Images, AsyncImages
from ._errors import APIError, ImgScriptError, ProgramNotFound, SearchError
from ._items import Attribution, Author, Item, License, Media, Picture, Provider
from ._program import Server, find_program

__version__ = "0.1.0"

__all__ = [
    "APIError", "AsyncClient", "AsyncImages", "Attribution", "Author", "Client", "Download", "DownloadedFile", "Failure",
    "Images", "ImgScriptError", "Item", "License", "Media", "Picture", "ProgramNotFound", "Provider", "SearchError", "Server",
    "find_program",
]
