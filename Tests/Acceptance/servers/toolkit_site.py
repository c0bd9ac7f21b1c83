#!/usr/bin/env python3
"""toolkit_site.py: a one-file Django project around django-oauth-toolkit (what is tested against is the toolkit and oauthlib, not this file).

    SITE_PORT=8181 SITE_STATE=DIR CALLBACK_URIS=URI python toolkit_site.py setup|serve
"""
import os, pathlib, sys
sys.modules.setdefault("toolkit_site", sys.modules[__name__])
STATE, PORT = pathlib.Path(os.environ["SITE_STATE"]), os.environ.get("SITE_PORT", "8181")
BASE = f"http://127.0.0.1:{PORT}"
from django.conf import settings
settings.configure(
    DEBUG=False, SECRET_KEY="acceptance-tests-only", ALLOWED_HOSTS=["127.0.0.1", "localhost"], ROOT_URLCONF="toolkit_site", USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(STATE / "db.sqlite3"), "OPTIONS": {"timeout": 20}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "oauth2_provider"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "DIRS": [str(STATE / "templates")],
                "OPTIONS": {"context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                                                   "django.contrib.messages.context_processors.messages"]}}],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.PBKDF2PasswordHasher"], LOGIN_URL="/login/",
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": (STATE / "key.pem").read_text(),
        "OIDC_ISS_ENDPOINT": BASE + "/o", "OAUTH2_VALIDATOR_CLASS": "toolkit_site.Validator",
        "SCOPES": {"openid": "OpenID", "profile": "Profile", "email": "E-mail", "offline_access": "Offline", "read": "Read", "write": "Write", "introspection": "Introspect"},
        "DEFAULT_SCOPES": ["read"], "PKCE_REQUIRED": True, "ROTATE_REFRESH_TOKEN": True, "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": 0, "REFRESH_TOKEN_EXPIRE_SECONDS": 1209600, "ACCESS_TOKEN_EXPIRE_SECONDS": int(os.environ.get("ACCESS_TTL", "3600")),
        "OAUTH_DEVICE_VERIFICATION_URI": BASE + "/o/device/",
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda user_code: f"{BASE}/o/device/?user_code={user_code}", "DEVICE_FLOW_INTERVAL": 1,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "com.example.cli"], "ALLOW_LOCALHOST_LOOPBACK": True,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True, "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "DCR_ENABLED": True, "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True, "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
        "OAUTH2_PROTECTED_RESOURCE_IDENTIFIER": BASE + "/api", "OAUTH2_PROTECTED_RESOURCE_AUTHORIZATION_SERVERS": [BASE + "/o"],
    },
    LOGGING={"version": 1, "disable_existing_loggers": False, "handlers": {"c": {"class": "logging.StreamHandler"}},
             "root": {"handlers": ["c"], "level": "WARNING"}},
)
import django
django.setup()
from django.contrib.auth import views as auth_views
from django.http import JsonResponse
from django.urls import include, path
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.decorators import protected_resource
from oauth2_provider.urls import metadata_urlpatterns


class Validator(OAuth2Validator):
    oidc_claim_scope = None

    def get_additional_claims(self, request):
        return {"name": request.user.get_full_name(), "email": request.user.email, "preferred_username": request.user.username}


@protected_resource(scopes=["read"])
def api(request):
    return JsonResponse({"user": str(request.resource_owner), "path": request.path})


urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
               path("", include((metadata_urlpatterns, "oauth2_provider"), namespace="oauth2_metadata")),
               path("login/", auth_views.LoginView.as_view(template_name="login.html")),
               path("api/whoami", api)]


def setup():
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    from django.contrib.auth import get_user_model
    from oauth2_provider.models import get_application_model
    for u, n in (("alice", "Alice"), ("bob", "Bob")):
        get_user_model().objects.create_user(u, u + "@example.test", "password", first_name=n, last_name="Example")
    A = get_application_model()
    owner = get_user_model().objects.get(username="alice")
    red = os.environ["CALLBACK_URIS"]
    common = dict(user=owner, redirect_uris=red, algorithm="RS256", skip_authorization=False)
    g = A.GRANT_AUTHORIZATION_CODE
    for cid, secret, ctype, grant in (("conf", "conf-secret-1234", A.CLIENT_CONFIDENTIAL, g), ("cli", "", A.CLIENT_PUBLIC, g)):
        A.objects.create(client_id=cid, client_secret=secret, client_type=ctype, authorization_grant_type=grant, name=cid, **common)


def serve():
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
    from django.core.wsgi import get_wsgi_application
    class S(ThreadingMixIn, WSGIServer):
        daemon_threads = True
    class Q(WSGIRequestHandler):
        def log_message(self, f, *x): print(f % x, flush=True)
    make_server("127.0.0.1", int(os.environ["SITE_BIND_PORT"]), get_wsgi_application(), S, Q).serve_forever()


if __name__ == "__main__":
    sys.modules["toolkit_site"] = sys.modules["__main__"]
    {"setup": setup, "serve": serve}[sys.argv[1]]()
