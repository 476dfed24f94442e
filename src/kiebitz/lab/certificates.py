"""Certificates for the lab: one authority, and servers whose certificates have one flaw each.

They need the ``cryptography`` package, which only developers have; nothing but the TLS hosts of the lab needs it.
"""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from kiebitz.errors import MissingExtra

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

YEAR = timedelta(days=365)


class Flaw(StrEnum):
    NONE = ""
    EXPIRED = "expired"
    NOT_YET = "not yet valid"
    SELF_SIGNED = "self-signed"
    WRONG_NAME = "wrong name"


@dataclass(frozen=True, slots=True)
class Certified:
    """A key with a certificate."""

    key: "EllipticCurvePrivateKey"
    certificate: "x509.Certificate"


class Authority:
    """Signs. Its own certificate lies at ``file``, for clients that shall trust it."""

    def __init__(self, folder: Path) -> None:
        try:
            import cryptography.x509  # noqa: F401
        except ImportError as error:
            raise MissingExtra(
                "the TLS hosts of the lab need the cryptography package", hint="run `make install`, or leave out --tls"
            ) from error
        self._folder = folder
        self._root = _certify("Kiebitz lab authority", None, datetime.now(UTC) - YEAR)
        self.file = folder / "authority.pem"
        self.file.write_bytes(_pem(self._root.certificate))

    def context(self, name: str, flaw: Flaw) -> ssl.SSLContext:
        """What a server of this name listens with."""
        now = datetime.now(UTC)
        starts = {Flaw.EXPIRED: now - 3 * YEAR, Flaw.NOT_YET: now + YEAR}.get(flaw, now - timedelta(days=1))
        subject = "anderswo.example" if flaw is Flaw.WRONG_NAME else name
        made = _certify(subject, None if flaw is Flaw.SELF_SIGNED else self._root, starts)
        file = self._folder / f"{name}.pem"
        file.write_bytes(_private(made.key) + _pem(made.certificate))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def _certify(name: str, issuer: Certified | None, starts: datetime) -> Certified:
    """Valid for two years from ``starts``; signed by ``issuer``, or by itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    is_authority = issuer is None and " " in name
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(starts)
        .not_valid_after(starts + 2 * YEAR)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if not is_authority:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    return Certified(key, builder.sign(issuer.key if issuer else key, hashes.SHA256()))


def _pem(certificate: "x509.Certificate") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)


def _private(key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
