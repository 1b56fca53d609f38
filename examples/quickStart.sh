# The quick start of /docs with curl: each step is a snippet of the page, and a test runs them as one program.

# step: setUp
API=http://localhost:8787/sepolia/api/v1
NODE=http://localhost:8545
OWNER=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266
WETH=0xfff9976782d46cc05630d1f6ebab18b2324d6b14
USDC=0x1c7d4b196cb0c7b01d743fbc6116a902379c7238

# step: approve
RELAYER=0xc92e8bdf79f0507f65a392b0ab4667716bfe0110
ALL=ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
curl -s "$NODE" --json '{
  "jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction",
  "params": [{
    "from": "'$OWNER'", "to": "'$WETH'",
    "data": "0x095ea7b3000000000000000000000000'${RELAYER#0x}$ALL'"
  }]
}'

# step: quote
QUOTE=$(curl -s "$API/quote" --json '{
  "sellToken": "'$WETH'",
  "buyToken": "'$USDC'",
  "from": "'$OWNER'",
  "kind": "sell",
  "sellAmountBeforeFee": "100000000000000000"
}')
echo "$QUOTE" | jq .quote

# step: sign
SIGNATURE=$(echo "$QUOTE" | jq --arg owner "$OWNER" '{
  jsonrpc: "2.0", id: 1, method: "eth_signTypedData_v4",
  params: [$owner, .signable.typedData]
}' | curl -s "$NODE" --json @- | jq -r .result)

# step: submit
BODY=$(echo "$QUOTE" | jq --arg owner "$OWNER" --arg signature "$SIGNATURE" '.signable.order + {
  from: $owner, quoteId: .id, signingScheme: "eip712", signature: $signature
}')
ORDER=$(echo "$BODY" | curl -s "$API/orders" --json @- | jq -r .)
echo "$ORDER"

# step: follow
curl -s "$API/orders/$ORDER" | jq -r .status

# until Ctrl-C
curl -sN "$API/orders/$ORDER/events"

# step: cancel
CANCELLATION=$(echo "$QUOTE" | jq --arg owner "$OWNER" --arg uid "$ORDER" '{
  jsonrpc: "2.0", id: 1, method: "eth_signTypedData_v4",
  params: [$owner, {
    domain: .signable.typedData.domain,
    types: {
      EIP712Domain: .signable.typedData.types.EIP712Domain,
      OrderCancellations: [{ name: "orderUids", type: "bytes[]" }]
    },
    primaryType: "OrderCancellations",
    message: { orderUids: [$uid] }
  }]
}' | curl -s "$NODE" --json @- | jq -r .result)
curl -s -X DELETE "$API/orders" --json '{
  "orderUids": ["'$ORDER'"], "signature": "'$CANCELLATION'", "signingScheme": "eip712"
}'
