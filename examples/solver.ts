// A solver that fills plain sell orders from its own tokens, at the auction's prices. docs/solvers.md explains it.
//     SOLVER_PRIVATE_KEY=0x… RPC_URL=http://127.0.0.1:8545 PORT=7070 node examples/solver.ts
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
// types only; amounts of these shapes are decimal text on the wire
import type { AuctionOrder, SettleRequest, SolveRequest } from '../shared/solvers/driverApi.ts'

const settlement = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
const settlementAbi = viem.parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] prices, Trade[] trades, Interaction[][3] interactions)',
])
const account = privateKeyToAccount(process.env.SOLVER_PRIVATE_KEY as viem.Hex)
const chain = viem.createWalletClient({ account, transport: viem.http(process.env.RPC_URL) }).extend(viem.publicActions)
const proposals = new Map<string, { order: AuctionOrder; out: bigint }>()

const encodeErc20 = (functionName: string, ...args: unknown[]) =>
  viem.encodeFunctionData({ abi: viem.erc20Abi, functionName, args } as never)

const isPlain = ({ preInteractions, postInteractions, protocolFees, ...order }: AuctionOrder): boolean =>
  [preInteractions, postInteractions, protocolFees].every(({ length }) => length === 0) &&
  [order.sellTokenBalance, order.buyTokenBalance].every((balance) => balance === 'erc20') &&
  [order.kind, order.signingScheme, order.partiallyFillable].join() === 'sell,eip712,false'

const solve = async ({ id, tokens, orders }: SolveRequest) => {
  const prices = new Map(tokens.map(({ address, price }) => [address, BigInt(price ?? 0)]))
  const solutions = []
  for (const [solutionId, order] of orders.filter(isPlain).slice(0, 100).entries()) {
    const { uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
    const buyPrice = prices.get(buyToken) || 1n
    const out = (BigInt(limitSell) * (prices.get(sellToken) ?? 0n)) / buyPrice
    const { data: stock = '0x0' } = await chain.call({ to: buyToken, data: encodeErc20('balanceOf', account.address) })
    if (out < BigInt(limitBuy) || out > BigInt(stock)) continue
    // the auction simulates the settlement before it is won, so the contract must be able to take the tokens by then
    if (!(await isApproved(buyToken))) continue
    proposals.set(`${id}/${solutionId}`, { order, out })
    const executedSell = `${BigInt(limitSell) + BigInt(order.feeAmount)}`
    const execution = { side, sellToken, buyToken, limitSell, limitBuy, executedSell, executedBuy: `${out}` }
    solutions.push({ solutionId, submissionAddress: account.address, score: '0', orders: { [uid]: execution } })
  }
  for (const forgotten of [...proposals.keys()].slice(0, -1_000)) proposals.delete(forgotten)
  return { solutions: solutions.slice(0, 3) }
}

const approving = new Map<viem.Hex, Promise<void>>()
const isApproved = async (token: viem.Hex): Promise<boolean> => {
  const { data = '0x0' } = await chain.call({ to: token, data: encodeErc20('allowance', account.address, settlement) })
  if (BigInt(data) > viem.maxUint128) return true
  const approve = () => send(token, encodeErc20('approve', settlement, viem.maxUint256))
  if (!approving.has(token))
    approving.set(
      token,
      approve()
        .finally(() => approving.delete(token))
        .catch(console.error),
    )
  return false
}

const encode = ({ auctionId, solutionId }: SettleRequest): viem.Hex => {
  const { order, out } = proposals.get(`${auctionId}/${solutionId}`) ?? fail('SolutionNotAvailable', 'no such solution')
  const [sellAmount, buyAmount] = [BigInt(order.sellAmount), BigInt(order.buyAmount)]
  const amounts = { sellAmount, buyAmount, feeAmount: BigInt(order.feeAmount), executedAmount: sellAmount }
  const terms = { ...order, ...amounts, receiver: order.receiver ?? viem.zeroAddress, flags: 0n }
  const trades = [{ ...terms, sellTokenIndex: 0n, buyTokenIndex: 1n }]
  const pay = encodeErc20('transferFrom', account.address, settlement, out)
  const take = encodeErc20('transfer', account.address, sellAmount)
  const swap = [
    { target: order.buyToken, value: 0n, callData: pay },
    { target: order.sellToken, value: 0n, callData: take },
  ]
  const args = [[order.sellToken, order.buyToken], [out, sellAmount], trades, [[], swap, []]] as const
  const call = viem.encodeFunctionData({ abi: settlementAbi, functionName: 'settle', args })
  return viem.concatHex([call, viem.numberToHex(BigInt(auctionId), { size: 8 })])
}

const reveal = async (request: SettleRequest) => {
  const calldata = encode(request)
  return { calldata: { internalized: calldata, uninternalized: calldata } }
}

const settle = (request: SettleRequest): Promise<void> => send(settlement, encode(request))

const send = async (to: viem.Hex, data: viem.Hex): Promise<void> => {
  const hash = await chain.sendTransaction({ chain: null, to, data })
  const { status } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 250, timeout: 50_000 })
  if (status !== 'success') fail('FailedToSubmit', `${hash} reverted`)
}

const fail = (kind: string, message: string): never => {
  throw Object.assign(new Error(message), { kind })
}

createServer(async (request, response) => {
  try {
    const body = JSON.parse((await text(request)) || '{}')
    const routes = { '/solve': () => solve(body), '/reveal': () => reveal(body), '/settle': () => settle(body) }
    const route = routes[request.url as keyof typeof routes] ?? (() => fail('QuotingFailed', 'no quotes here'))
    response.end(JSON.stringify((await route()) ?? {}))
  } catch (error) {
    const { kind = 'Unknown', message } = error as Error & { kind?: string }
    response.writeHead(400).end(JSON.stringify({ kind, description: message }))
  }
}).listen(Number(process.env.PORT ?? 7070), '127.0.0.1')
