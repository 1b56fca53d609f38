// What the examples share: requests, the account's key and its transactions. By default they run against `npm start`:
//     BASE_URL=http://localhost:8787 NETWORK=sepolia RPC_URL=http://localhost:8545 PRIVATE_KEY=0x… node examples/trade.ts
import { createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { env } = process
export const baseUrl = env.BASE_URL ?? 'http://localhost:8787'
const networkName = env.NETWORK ?? 'sepolia'

// public key of the local stack: never use it on a public network
const localKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const account = privateKeyToAccount((env.PRIVATE_KEY as Hex | undefined) ?? localKey)
const transport = http(env.RPC_URL ?? 'http://localhost:8545')
const wallet = createWalletClient({ account, transport })
const chain = createPublicClient({ transport, pollingInterval: 500 })

/** @returns the JSON of a response @throws Error with the type and the description of an error */
export const request = async (path: string, body?: object, headers: Record<string, string> = {}) => {
  const json = { 'Content-Type': 'application/json', ...headers }
  const init = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
  const response = await fetch(baseUrl + path, init ?? { headers })
  const result = JSON.parse(await response.text())
  if (!response.ok) throw new Error(`${path}: ${result.errorType ?? result.message}: ${JSON.stringify(result)}`)
  return result
}

/** Sends a transaction of the account. @returns its hash, once it is in a block */
export const send = async (call: { to: string; data: string; value: string | bigint }): Promise<Hex> => {
  const { to, data, value } = call
  const hash = await wallet.sendTransaction({ chain: null, to: to as Hex, data: data as Hex, value: BigInt(value) })
  const { status } = await chain.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
  return hash
}

const index = await request('/', undefined, { Accept: 'application/json' })

/** Addresses and chain id of the network. */
export const network = index.networks.find(({ name }: { name: string }) => name === networkName)

/** Path of an order book route. */
export const api = (route: string): string => `${network.path}/${route}`

/** Waits until an order is no longer open. @returns the order */
export const follow = async (uid: string) => {
  for (;;) {
    const order = await request(api(`orders/${uid}?wait=30`))
    if (order.status !== 'open') return order
  }
}

/** Address of a token of this network's list. */
export const findToken = async (symbol: string): Promise<string> => {
  const tokens = await request(api('tokens'))
  const token = tokens.find((entry: { symbol: string | null }) => entry.symbol === symbol)
  if (!token) throw new Error(`no token ${symbol}`)
  return token.address
}
