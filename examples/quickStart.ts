// The quick start of /docs with fetch: each step is a snippet of the page, and a test runs them as one program.

// step: setUp
import { createWalletClient, defineChain, erc20Abi, http, maxUint256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const chain = defineChain({
  id: 11155111,
  name: 'Sepolia',
  nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://localhost:8545'] } },
})

const WETH = '0xfff9976782d46cc05630d1f6ebab18b2324d6b14'
const USDC = '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238'

// public key of the local stack: never use it on a public network
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account = privateKeyToAccount(key)

const api = 'http://localhost:8787/sepolia/api/v1'
const request = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${api}/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const result = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${result.errorType}: ${result.description}`)
  return result
}

// step: approve
const relayer = '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110'
const wallet = createWalletClient({ account, chain, transport: http() })
await wallet.writeContract({
  address: WETH,
  abi: erc20Abi,
  functionName: 'approve',
  args: [relayer, maxUint256],
})

// step: quote
const quote = await request('POST', 'quote', {
  sellToken: WETH,
  buyToken: USDC,
  from: account.address,
  kind: 'sell',
  sellAmountBeforeFee: '100000000000000000',
})
console.log(quote.quote.buyAmount)

// step: sign
const { order, typedData } = quote.signable
const signature = await account.signTypedData(typedData)

// step: submit
const uid = await request('POST', 'orders', {
  ...order,
  from: account.address,
  quoteId: quote.id,
  signingScheme: 'eip712',
  signature,
})
console.log(uid)

// step: follow
const { status } = await request('GET', `orders/${uid}`)
console.log(status)

const { body: events } = await fetch(`${api}/orders/${uid}/events`)
for await (const text of events?.pipeThrough(new TextDecoderStream()) ?? []) {
  console.log(text)
  if (text.includes('"label":"traded"')) break
}

// step: cancel
const cancellation = await account.signTypedData({
  domain: typedData.domain,
  types: { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] },
  primaryType: 'OrderCancellations',
  message: { orderUids: [uid] },
})
await request('DELETE', 'orders', {
  orderUids: [uid],
  signature: cancellation,
  signingScheme: 'eip712',
})
