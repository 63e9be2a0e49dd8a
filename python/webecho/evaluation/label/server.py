"""The labelling page: two pages side by side as text in a browser, keys for labels and reasons.

By default it is served to this machine alone, under an address with a random token, and
only to who asks for it by that address: a page of another site can neither guess the token nor, by
a name that it makes point here, be taken for this one. Nothing of a crawl is markup in it, no
script but its own runs, and it fetches nothing from anywhere else.
"""

import base64
import hashlib
import hmac
import ipaddress
import json
import secrets
import socket
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Annotated, Any, Literal

import uvicorn
from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, Field

from webecho.errors import SettingsError, WebechoError, setting
from webecho.evaluation.label.reasons import MEANINGS, REASONS
from webecho.evaluation.label.session import NOTE, Session

# The most that a request may carry: a label with its note in any script.
BODY = 16 * NOTE
PORT = 80  # of HTTP
SECURITY = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(frozen=True)
class Address:
    """Where the page is: a host and port of this machine, and the token."""

    host: str
    port: int
    token: str

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.name}/{self.token}/"

    @property
    def names(self) -> tuple[str, ...]:
        """What a browser may call this server in its requests: HTTP's own port it leaves out."""
        names = [self.name, *([f"localhost:{self.port}"] if self.is_loopback else [])]
        if self.port == PORT:
            names += [name.removesuffix(f":{PORT}") for name in names]
        return tuple(names)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def bind(host: str, port: int) -> tuple[socket.socket, Address]:
    """A socket that listens, and its address with a new token."""
    # As browsers write it.
    host = host.lower()
    try:
        address = ipaddress.ip_address(host)
        host = str(address)
        if address.is_unspecified:
            raise SettingsError(
                setting("host").to(host),
                " is no address that one could check requests by; give the one by which others "
                "reach this machine",
            )
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
    except ValueError:
        family = socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # From here on a browser that is quicker than the server waits instead of failing.
        listening.listen()
    except OSError as error:
        listening.close()
        raise SettingsError(
            f"cannot listen on {host} port {port} ({error.strerror or error}); give another ",
            setting("port"),
        ) from error
    return listening, Address(host, listening.getsockname()[1], secrets.token_urlsafe(24))


def server_of(session: Session, address: Address) -> uvicorn.Server:
    """What answers, once it is run with a socket."""
    # The token stands in every address, so none of them is logged.
    settings = uvicorn.Config(
        create_app(session, address),
        access_log=False,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        lifespan="off",
    )
    return uvicorn.Server(settings)


class Said(BaseModel):
    """What a labeller says of a pair."""

    number: int
    label: str
    reasons: list[str] = Field(max_length=len(REASONS))
    note: str = ""


def create_app(session: Session, address: Address) -> FastAPI:
    """The application; it answers nothing without the token."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    page, policy = page_of_labels()
    headers = SECURITY | {"Content-Security-Policy": policy}

    @app.middleware("http")
    async def guard(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        refusal = refused(request, address)
        if refusal is not None:
            # What comes after it on this connection may be meant for another reader.
            refusal.headers["Connection"] = "close"
        response = refusal if refusal is not None else await call_next(request)
        response.headers.update(headers)
        return response

    @app.exception_handler(WebechoError)
    async def failed(_: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error)}, 400)

    @app.exception_handler(RequestValidationError)
    async def misunderstood(_: Request, error: Exception) -> Response:
        # What was sent is not sent back: it may be what no JSON can hold, such as 1e400.
        what = error.errors() if isinstance(error, RequestValidationError) else []
        said = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in what)
        return JSONResponse({"error": said.encode("ascii", "replace").decode()}, 400)

    @app.exception_handler(OSError)
    async def unsaved(_: Request, error: Exception) -> Response:
        return JSONResponse({"error": f"{session.file}: {error}; nothing was saved"}, 500)

    Number = Annotated[int, Path(ge=1, le=max(1, len(session.pairs)))]  # noqa: N806

    @app.get("/{token}/")
    def first() -> HTMLResponse:
        return HTMLResponse(page)

    @app.get("/{token}/state")
    def state() -> dict[str, Any]:
        return session.state()

    @app.get("/{token}/pair/{number}")
    def pair(number: Number) -> dict[str, Any]:
        return session.shown(number)

    @app.get("/{token}/pair/{number}/{side}")
    def more(
        number: Number,
        side: Literal["left", "right"],
        start: Annotated[int, Query(ge=0)],
        end: Annotated[int, Query(ge=0)],
    ) -> dict[str, Any]:
        return {"segments": session.more(number, side, start, end)}

    @app.post("/{token}/label")
    def label(said: Said) -> dict[str, Any]:
        if not 1 <= said.number <= len(session.pairs):
            raise HTTPException(404)
        session.say(said.number, said.label, said.reasons, said.note)
        return {"saved": said.number} | session.state()

    @app.post("/{token}/undo")
    def undo() -> dict[str, Any]:
        return {"undone": session.undo()} | session.state()

    return app


def refused(request: Request, address: Address) -> Response | None:
    """Why a request is not answered, if it is not."""
    # A name of another site that was made to point here (DNS rebinding) shows in the Host header.
    if request.headers.get("host", "").lower() not in address.names:
        return Response("this server has another name", 421)
    # Of two lengths each reader believes another (request smuggling).
    if "transfer-encoding" in request.headers and "content-length" in request.headers:
        return Response("two lengths", 400)
    token = request.url.path.removeprefix("/").partition("/")[0]
    if not hmac.compare_digest(token.encode(), address.token.encode()):
        return Response("not found", 404)
    if request.method == "POST":
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() not in [
            f"http://{name}" for name in address.names
        ]:
            return Response("asked by a page of another site", 403)
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return Response("not JSON", 415)
        length = request.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > BODY:
            return Response("too long", 413)
    return None


def page_of_labels() -> tuple[str, str]:
    """The HTML, and the policy that lets nothing but its own script and style be used."""
    static = files("webecho.evaluation.label") / "static"
    script, style, page = (
        (static / f"label.{kind}").read_text("utf-8") for kind in ("js", "css", "html")
    )
    # What the script reads as JSON ends at no `<`, so nothing in it can end the element.
    known = {"reasons": [asdict(each) for each in REASONS], "labels": MEANINGS, "note": NOTE}
    settings = json.dumps(known)
    page = page.replace("/*style*/", style).replace("/*script*/", script)
    page = page.replace("/*settings*/", settings.replace("<", "\\u003c"))
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src '{digest(script)}'",
            f"style-src '{digest(style)}'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )
    return page, policy


def digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
