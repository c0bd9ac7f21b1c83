"""Verifies tokens with PyJWT, as often as each line of input says; answers with the nanoseconds that took.

usage: pyjwt.py FOLDER ALGORITHM
"""

import json
import sys
import time

import jwt

folder, algorithm = sys.argv[1:]
token = open(f"{folder}/{algorithm}.jwt").read()
if algorithm.startswith("HS"):
    members = json.load(open(f"{folder}/{algorithm}.jwk"))
    key = jwt.utils.base64url_decode(members["k"])
else:
    key = jwt.algorithms.get_default_algorithms()[algorithm].prepare_key(open(f"{folder}/{algorithm}.pem", "rb").read())

for line in sys.stdin:
    start = time.perf_counter_ns()
    for _ in range(int(line)):
        jwt.decode(token, key, algorithms=[algorithm], issuer="https://issuer.example.com", audience="client")
    print(time.perf_counter_ns() - start, flush=True)
