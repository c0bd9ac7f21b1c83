#!/usr/bin/env python3
"""drive-django-oauth-toolkit.py URL: Django log-in form, then the toolkit's consent, device or logout page."""
from browser import Left, main, parse


def drive(b, url, a):
    r = b.go(url)
    entered = False
    for _ in range(8):
        forms = [f for f in parse(r.text).forms if f.method == "post"]
        f = next((f for f in forms if "password" in f and "username" in f), None)
        if f:
            r = b.submit(r, f, None, username=a.user, password=a.password)
            continue
        f = next((f for f in forms if "user_code" in f), None)
        if f and not entered:
            entered = True
            r = b.submit(r, f, None, user_code=a.user_code or dict(f.fields).get("user_code", ""))
            continue
        f = next((f for f in forms if any(x[0] == "allow" for x in f.buttons) or any(x[0] == "action" for x in f.buttons)), None)
        if f:
            names = {x[0]: x for x in f.buttons}
            if "allow" in names:
                r = b.submit(r, f, None if a.deny else names["allow"])
            else:
                want = "deny" if a.deny else "accept"
                r = b.submit(r, f, next(x for x in f.buttons if x[1] == want))
            continue
        r.done = r.status == 200 and not forms
        return r
    return r


if __name__ == "__main__":
    main(drive)
