// A driver written from docs/solvers.md and the public interface alone: it imports nothing of this repository.
// https://github.com/cowprotocol/services/blob/main/crates/driver/openapi.yml
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

type Call = { target: viem.Address; value: string; callData: viem.Hex }
type Order = {
  uid: viem.Hex
  kind: 'sell' | 'buy'
  sellToken: viem.Address
  buyToken: viem.Address
  sellAmount: string
  buyAmount: string
  executed: string
  validTo: number
  owner: viem.Address
  receiver: viem.Address | null
  partiallyFillable: boolean
  appData: viem.Hex
  signingScheme: 'eip712' | 'ethsign' | 'eip1271' | 'presign'
  signature: viem.Hex
  preInteractions: Call[]
  postInteractions: Call[]
}
type Auction = { id: string; orders: Order[]; tokens: { address: viem.Address; price: string | null }[] }

export type Notice = { auctionId: string; solutionId: number | null; kind: string; reason: string }

export type PublicDriver = {
  url: string
  notices: Notice[]
  /** transactions of its settlements */
  settled: viem.Hex[]
  /** orders that it proposed to settle, in order */
  offers: string[]
  stop: () => Promise<void>
}

export type DriverTerms = {
  privateKey: viem.Hex
  rpcUrl: string
  chainId: number
  settlement: viem.Address
  wrappedNative: viem.Address
  /** it fills orders that sell this token, from its own tokens and at the auction's prices */
  sellToken: viem.Address
  /** sell orders of it for this token are filled with an order of its own, signed just in time */
  jitToken: viem.Address
}

const nativeToken = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const schemes = ['eip712', 'ethsign', 'eip1271', 'presign']
const settlementAbi = viem.parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] prices, Trade[] trades, Interaction[][3] interactions)',
])
const wrappedAbi = viem.parseAbi(['function withdraw(uint256 amount)'])

type JustInTime = { uid: viem.Hex; validTo: number; signature: viem.Hex }
type Proposal = { order: Order; sold: bigint; bought: bigint; jit?: JustInTime }

const orderType = [
  ...['sellToken', 'buyToken', 'receiver'].map((name) => ({ name, type: 'address' })),
  ...['sellAmount', 'buyAmount'].map((name) => ({ name, type: 'uint256' })),
  ...[
    { name: 'validTo', type: 'uint32' },
    { name: 'appData', type: 'bytes32' },
    { name: 'feeAmount', type: 'uint256' },
  ],
  ...[
    { name: 'kind', type: 'string' },
    { name: 'partiallyFillable', type: 'bool' },
  ],
  ...['sellTokenBalance', 'buyTokenBalance'].map((name) => ({ name, type: 'string' })),
]

/** Signs an order of its own that takes the other side of a trade. */
const signJustInTime = async ({ order, sold, bought }: Proposal, terms: DriverTerms): Promise<JustInTime> => {
  const account = privateKeyToAccount(terms.privateKey)
  const validTo = Math.floor(Date.now() / 1000) + 600
  const data = {
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId: terms.chainId, verifyingContract: terms.settlement },
    types: { Order: orderType },
    primaryType: 'Order',
    message: {
      ...{ sellToken: order.buyToken, buyToken: order.sellToken, receiver: account.address },
      ...{ sellAmount: bought, buyAmount: sold, validTo, appData: viem.zeroHash, feeAmount: 0n },
      ...{ kind: 'sell', partiallyFillable: false, sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
    },
  } as const
  const uid = viem.concatHex([viem.hashTypedData(data), account.address, viem.numberToHex(validTo, { size: 4 })])
  return { uid: uid.toLowerCase() as viem.Hex, validTo, signature: await account.signTypedData(data) }
}

const encodeSettle = (auctionId: string, { order, sold, bought, jit }: Proposal, terms: DriverTerms): viem.Hex => {
  const account = privateKeyToAccount(terms.privateKey)
  const isNative = order.buyToken === nativeToken
  const paid = isNative ? terms.wrappedNative : order.buyToken
  const call = (target: viem.Address, callData: viem.Hex) => ({ target, value: 0n, callData })
  const erc20 = (functionName: 'transfer' | 'transferFrom', ...args: unknown[]) =>
    viem.encodeFunctionData({ abi: viem.erc20Abi, functionName, args } as never)
  const withdraw = { abi: wrappedAbi, functionName: 'withdraw', args: [bought] } as const
  const swap = [
    call(paid, erc20('transferFrom', account.address, terms.settlement, bought)),
    ...(isNative ? [call(paid, viem.encodeFunctionData(withdraw))] : []),
    call(order.sellToken, erc20('transfer', account.address, sold)),
  ]
  const hooks = (calls: Call[]) => calls.map((hook) => ({ ...hook, value: BigInt(hook.value) }))
  const flags =
    (order.kind === 'buy' ? 1 : 0) + (order.partiallyFillable ? 2 : 0) + 32 * schemes.indexOf(order.signingScheme)
  const prefix = order.signingScheme === 'eip1271' || order.signingScheme === 'presign' ? order.owner : '0x'
  const trade = {
    ...{ sellTokenIndex: 0n, buyTokenIndex: 1n, receiver: order.receiver ?? viem.zeroAddress },
    ...{ sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount), validTo: order.validTo },
    ...{ appData: order.appData, feeAmount: 0n, flags: BigInt(flags) },
    executedAmount: order.kind === 'sell' ? sold : bought,
    signature: viem.concatHex([prefix, order.signingScheme === 'presign' ? '0x' : order.signature]),
  }
  const own = jit && {
    ...{ sellTokenIndex: 1n, buyTokenIndex: 0n, receiver: account.address, sellAmount: bought, buyAmount: sold },
    ...{ validTo: jit.validTo, appData: viem.zeroHash, feeAmount: 0n, flags: 0n },
    ...{ executedAmount: bought, signature: jit.signature },
  }
  const interactions = [hooks(order.preInteractions), own ? [] : swap, hooks(order.postInteractions)] as const
  const trades = own ? [trade, own] : [trade]
  const args = [[order.sellToken, order.buyToken], [bought, sold], trades, interactions] as const
  const data = viem.encodeFunctionData({ abi: settlementAbi, functionName: 'settle', args: args as never })
  return viem.concatHex([data, viem.numberToHex(BigInt(auctionId), { size: 8 })])
}

const propose = (order: Order, prices: ReadonlyMap<string, bigint>): Proposal | undefined => {
  const [sellPrice, buyPrice] = [prices.get(order.sellToken), prices.get(order.buyToken)]
  if (!sellPrice || !buyPrice) return undefined
  const exact = BigInt(order.kind === 'sell' ? order.sellAmount : order.buyAmount) - BigInt(order.executed)
  // half a percent above the auction's price, so that it wins
  const [sold, bought] =
    order.kind === 'sell'
      ? [exact, (exact * sellPrice * 1005n) / (buyPrice * 1000n)]
      : [(exact * buyPrice * 995n) / (sellPrice * 1000n), exact]
  const holds = sold * BigInt(order.buyAmount) <= bought * BigInt(order.sellAmount)
  return holds ? { order, sold, bought } : undefined
}

export const startPublicDriver = async (terms: DriverTerms): Promise<PublicDriver> => {
  const account = privateKeyToAccount(terms.privateKey)
  const chain = viem.createWalletClient({ account, transport: viem.http(terms.rpcUrl) }).extend(viem.publicActions)
  const proposals = new Map<string, Proposal>()
  const notices: Notice[] = []
  const settled: viem.Hex[] = []
  const offers: string[] = []

  const solve = async ({ id, orders, tokens }: Auction) => {
    const prices = new Map(tokens.map(({ address, price }) => [address as string, BigInt(price ?? 0)]))
    prices.set(nativeToken, prices.get(terms.wrappedNative) ?? 0n)
    const findSolution = async (order: Order, solutionId: number) => {
      const proposal = order.sellToken === terms.sellToken ? propose(order, prices) : undefined
      if (!proposal) return []
      if (order.kind === 'sell' && order.buyToken === terms.jitToken)
        proposal.jit = await signJustInTime(proposal, terms)
      proposals.set(`${id}/${solutionId}`, proposal)
      offers.push(order.uid)
      const { uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
      const execution = { side, sellToken, buyToken, limitSell, limitBuy }
      const executed = { executedSell: `${proposal.sold}`, executedBuy: `${proposal.bought}` }
      const own = {
        ...{ side: 'sell', sellToken: buyToken, buyToken: sellToken, limitSell: `${proposal.bought}` },
        ...{ limitBuy: `${proposal.sold}`, executedSell: `${proposal.bought}`, executedBuy: `${proposal.sold}` },
      }
      const trades = { [uid]: { ...execution, ...executed }, ...(proposal.jit && { [proposal.jit.uid]: own }) }
      return [{ solutionId, submissionAddress: account.address, score: '1', orders: trades }]
    }
    return { solutions: (await Promise.all(orders.map(findSolution))).flat() }
  }
  const encode = ({ auctionId, solutionId }: { auctionId: string; solutionId: number }): viem.Hex => {
    const proposal = proposals.get(`${auctionId}/${solutionId}`)
    if (!proposal) throw new Error('unknown solution')
    return encodeSettle(auctionId, proposal, terms)
  }
  const settle = async (request: { auctionId: string; solutionId: number }) => {
    const hash = await chain.sendTransaction({ chain: null, to: terms.settlement, data: encode(request) })
    const { status } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 200 })
    if (status !== 'success') throw new Error('reverted')
    settled.push(hash)
  }
  const reveal = (request: { auctionId: string; solutionId: number }) => {
    const calldata = encode(request)
    return { calldata: { internalized: calldata, uninternalized: calldata } }
  }
  const respond = async (path: string | undefined, body: never): Promise<unknown> => {
    if (path === '/solve') return solve(body)
    if (path === '/reveal') return reveal(body)
    if (path === '/settle') return settle(body)
    if (path === '/notify') return void notices.push(body)
    throw Object.assign(new Error('no quotes'), { kind: 'QuotingFailed' })
  }
  const server = createServer(async (request, response) => {
    try {
      const body = await respond(request.url, JSON.parse((await text(request)) || '{}') as never)
      response.end(body === undefined ? '' : JSON.stringify(body))
    } catch (error) {
      const { kind = 'FailedToSubmit', message } = error as Error & { kind?: string }
      response.writeHead(400).end(JSON.stringify({ kind, description: message }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ notices, settled, offers },
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
