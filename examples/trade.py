"""A market order in Python: quote, approve what is missing, sign, place, follow.

    pip install eth-account && python3 examples/trade.py
"""

import json
import os
import time
import urllib.request

from eth_account import Account
from eth_utils import to_checksum_address

BASE_URL = os.environ.get("BASE_URL", "http://localhost:8787")
NETWORK = os.environ.get("NETWORK", "sepolia")
RPC_URL = os.environ.get("RPC_URL", "http://localhost:8545")
# public key of the local stack: never use it on a public network
KEY = os.environ.get("PRIVATE_KEY", "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
account = Account.from_key(KEY)


def request(url, body=None):
    data = json.dumps(body).encode() if body else None
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as response:
        return json.load(response)


def rpc(method, *params):
    reply = request(RPC_URL, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in reply:
        raise RuntimeError(reply["error"])
    return reply["result"]


def send(call):
    """Sends a transaction of the account and waits until it is in a block."""
    transaction = {"to": call["to"], "data": call["data"], "value": int(call["value"])}
    estimate = {**transaction, "from": account.address, "value": hex(transaction["value"])}
    signed = account.sign_transaction({
        **transaction,
        "to": to_checksum_address(call["to"]),
        "chainId": network["chainId"],
        "nonce": int(rpc("eth_getTransactionCount", account.address, "pending"), 16),
        "gas": int(rpc("eth_estimateGas", estimate), 16) * 12 // 10,
        "gasPrice": int(rpc("eth_gasPrice"), 16) * 2,
    })
    digest = rpc("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex())
    while not (receipt := rpc("eth_getTransactionReceipt", digest)):
        time.sleep(0.5)
    if receipt["status"] != "0x1":
        raise RuntimeError(f"transaction {digest} reverted")


network = next(entry for entry in request(BASE_URL + "/")["networks"] if entry["name"] == NETWORK)
api = BASE_URL + network["path"]
tokens = request(f"{api}/tokens")
usdc = next(token["address"] for token in tokens if token["symbol"] == "USDC")

quote = request(f"{api}/quote", {
    "sellToken": network["wrappedNative"],
    "buyToken": usdc,
    "from": account.address,
    "kind": "sell",
    "sellAmountBeforeFee": "100000000000000000",
})

# what the owner lacks: here wrapping and the approval, as transactions
for call in quote["funding"]["calls"]:
    send(call)

signable = quote["signable"]
signed = account.sign_typed_data(full_message=signable["typedData"])
uid = request(f"{api}/orders", {
    **signable["order"],
    "fullAppData": signable["fullAppData"],
    "quoteId": quote["id"],
    "from": account.address,
    "signingScheme": "eip712",
    "signature": "0x" + bytes(signed.signature).hex(),
})

while (order := request(f"{api}/orders/{uid}?wait=30"))["status"] == "open":
    pass
print(order["status"], uid, order["executedBuyAmount"])
