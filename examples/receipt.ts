// Recomputes every number of an order's receipt from the chain, the order and the competition. docs/api.md explains it.
//     node examples/receipt.ts http://localhost:8787/sepolia 0x<order uid> http://127.0.0.1:8545
import * as viem from 'viem'

const settlementAbi = viem.parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] prices, Trade[] trades, Interaction[][3] interactions)',
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }
type Amounts = { sellAmount: string; buyAmount: string }
type Offer = Amounts & { solver: string; score: string }
type Fill = Amounts & {
  transactionHash: viem.Hex
  blockNumber: number
  logIndex: number
  signedFee: string
  solver: string | null
  gas: { used: string; price: string } | null
  competition: {
    auctionId: number
    block: number
    winner: Offer | null
    runnerUp: Offer | null
    referencePrices: { sellToken: string | null; buyToken: string | null }
  } | null
  fees: { total: string; items: { token: string; amount: string }[] } | null
}
type Receipt = {
  chainId: number
  orderUid: viem.Hex
  owner: string
  receiver: string
  kind: 'sell' | 'buy'
  sellToken: string
  buyToken: string
  limit: Amounts
  quote: (Amounts & { feeAmount: string; solver: string; verified: boolean }) | null
  executed: Amounts
  surplus: { token: string; amount: string }
  fills: Fill[]
}
type Signed = { receipt: Receipt; signature: { signer: viem.Hex; message: string; signature: viem.Hex } | null }
type Competition = {
  auctionStartBlock: number
  auction: { prices: Record<string, string> }
  solutions: {
    solverAddress: string
    score: string
    isWinner: boolean
    filteredOut: boolean
    orders: (Amounts & { id: string })[]
  }[]
}

/** JSON with sorted keys and without spaces (RFC 8785 for integers and text). */
const toCanonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${toCanonicalJson(inner)}`).join()}}`
}

const divCeil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
const sum = (values: string[]): bigint => values.reduce((total, value) => total + BigInt(value), 0n)
const pick = ({ sellAmount, buyAmount }: Amounts): Amounts => ({ sellAmount, buyAmount })

/** Gain over the signed limit, scaled to what is filled. */
const computeSurplus = ({ kind, limit, executed, fills }: Receipt): bigint => {
  const [limitSell, limitBuy] = [BigInt(limit.sellAmount), BigInt(limit.buyAmount)]
  const bought = BigInt(executed.buyAmount)
  const sold = BigInt(executed.sellAmount) - sum(fills.map(({ signedFee }) => signedFee))
  if (fills.length === 0) return 0n
  return kind === 'sell' ? bought - divCeil(sold * limitBuy, limitSell) : (limitSell * bought) / limitBuy - sold
}

/** What the settlement contract did with this order: its event, its signed terms and its fee beside the uniform prices. */
const readTrade = async (chain: viem.PublicClient, { orderUid, kind }: Receipt, fill: Fill) => {
  const hash = fill.transactionHash
  const [{ logs, ...mined }, { input }] = await Promise.all([
    chain.getTransactionReceipt({ hash }),
    chain.getTransaction({ hash }),
  ])
  const events = viem.parseEventLogs({ abi: settlementAbi, logs })
  const index = events.findIndex(({ logIndex }) => logIndex === fill.logIndex)
  const event = events[index]
  if (event?.args.orderUid !== orderUid) throw new Error(`${hash} has no trade of ${orderUid} at ${fill.logIndex}`)
  const { args } = viem.decodeFunctionData({ abi: settlementAbi, data: input })
  const [tokens, prices, trades] = args
  const trade = trades[index]
  if (!trade) throw new Error(`${hash} settles no trade ${index}`)
  // the uniform price of a token is the first one that no trade names
  const named = new Set(trades.flatMap(({ sellTokenIndex, buyTokenIndex }) => [sellTokenIndex, buyTokenIndex]))
  const uniform = (index: bigint): bigint | undefined =>
    prices.find((price, i) => price > 0n && !named.has(BigInt(i)) && tokens[i] === tokens[Number(index)])
  const { sellAmount, buyAmount, feeAmount } = event.args
  const sold = sellAmount - feeAmount
  const [sellPrice, buyPrice] = [uniform(trade.sellTokenIndex), uniform(trade.buyTokenIndex)]
  const atUniform = sellPrice && buyPrice ? (buyAmount * buyPrice) / sellPrice : sold
  const receiver = BigInt(trade.receiver) === 0n ? event.args.owner : trade.receiver
  return {
    owner: event.args.owner.toLowerCase(),
    receiver: receiver.toLowerCase(),
    tokens: [event.args.sellToken.toLowerCase(), event.args.buyToken.toLowerCase()],
    kind: (trade.flags & 1n) === 0n ? 'sell' : ('buy' as typeof kind),
    limit: { sellAmount: `${trade.sellAmount}`, buyAmount: `${trade.buyAmount}` },
    amounts: { sellAmount: `${sellAmount}`, buyAmount: `${buyAmount}` },
    signedFee: `${feeAmount}`,
    fee: `${sold > atUniform ? sold - atUniform : 0n}`,
    blockNumber: Number(mined.blockNumber),
    solver: mined.from,
    gas: { used: `${mined.gasUsed}`, price: `${mined.effectiveGasPrice}` },
  }
}

const readOffers = ({ solutions }: Competition, uid: string): (Offer & { isWinner: boolean; filteredOut: boolean })[] =>
  // the worst is first
  solutions
    .toReversed()
    .flatMap(({ solverAddress: solver, score, isWinner, filteredOut, orders }) =>
      orders.filter(({ id }) => id === uid).map((order) => ({ solver, score, isWinner, filteredOut, ...pick(order) })),
    )

const findOffer = (offers: ReturnType<typeof readOffers>, matches: (offer: (typeof offers)[number]) => boolean) => {
  const { solver, score, ...amounts } = offers.find(matches) ?? {}
  return solver === undefined ? null : { solver, score, ...pick(amounts as Amounts) }
}

/**
 * Compares a receipt with its sources.
 * @param base URL of a network of a gateway: `http://localhost:8787/sepolia`
 * @param signer the deployment's known signer; undefined: any signer, or none
 * @returns the receipt, and each number that differs, in words; none when it is right
 */
export const checkReceipt = async (base: string, uid: string, rpcUrl: string, signer?: string) => {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${base}${path}`)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const chain = viem.createPublicClient({ transport: viem.http(rpcUrl) })
  const { receipt, signature } = await get<Signed>(`/api/v1/orders/${uid}/receipt`)
  const order = await get<{ quote?: Receipt['quote'] }>(`/api/v1/orders/${uid}`)
  const differences: string[] = []
  const compare = (what: string, stated: unknown, found: unknown): void => {
    const [a, b] = [stated, found].map((value) => toCanonicalJson((value ?? null) as Json))
    if (a !== b) differences.push(`${what}: ${a} stated, ${b} found`)
  }

  if (signer) compare('signer', signature?.signer, signer)
  if (signature) {
    const hash = viem.keccak256(viem.stringToHex(toCanonicalJson(receipt)))
    const message = `Receipt of order ${receipt.orderUid} on chain ${receipt.chainId}: ${hash}`
    compare('signed text', signature.message, message)
    const { signer: address, signature: bytes } = signature
    compare('signature', true, await viem.verifyMessage({ address, message, signature: bytes }))
  }
  compare('chain', receipt.chainId, await chain.getChainId())
  compare('surplus', receipt.surplus.amount, `${computeSurplus(receipt)}`)
  for (const name of ['sellAmount', 'buyAmount'] as const)
    compare(`executed ${name}`, receipt.executed[name], `${sum(receipt.fills.map((fill) => fill[name]))}`)
  if (receipt.quote && order.quote)
    for (const name of ['sellAmount', 'buyAmount', 'feeAmount', 'solver', 'verified'] as const)
      compare(`quote ${name}`, receipt.quote[name], order.quote[name])

  for (const fill of receipt.fills) {
    const trade = await readTrade(chain, receipt, fill)
    compare('owner', receipt.owner, trade.owner)
    compare('receiver', receipt.receiver, trade.receiver)
    compare('tokens', [receipt.sellToken, receipt.buyToken], trade.tokens)
    compare('kind', receipt.kind, trade.kind)
    compare('limit', receipt.limit, trade.limit)
    compare('amounts', pick(fill), trade.amounts)
    compare('signed fee', fill.signedFee, trade.signedFee)
    compare('block', fill.blockNumber, trade.blockNumber)
    compare('solver', fill.solver, trade.solver)
    compare('gas', fill.gas, trade.gas)
    if (fill.fees) compare('fee', fill.fees.total, trade.fee)
    if (!fill.competition) continue
    const { auctionId, block, winner, runnerUp, referencePrices } = fill.competition
    const competition = await get<Competition>(`/api/v2/solver_competition/${auctionId}`)
    const offers = readOffers(competition, uid)
    const isOwn = ({ solver }: { solver: string }): boolean => solver === fill.solver
    compare('auction block', block, competition.auctionStartBlock)
    compare(
      'winner',
      winner,
      findOffer(offers, (offer) => offer.isWinner && isOwn(offer)),
    )
    const isRunnerUp = (offer: (typeof offers)[number]) => !offer.isWinner && !offer.filteredOut && !isOwn(offer)
    compare('runner-up', runnerUp, findOffer(offers, isRunnerUp))
    const { prices } = competition.auction
    compare('reference prices', referencePrices, {
      sellToken: prices[receipt.sellToken] ?? null,
      buyToken: prices[receipt.buyToken] ?? null,
    })
  }
  return { receipt, signature, differences }
}

if (import.meta.main) {
  const [base = '', uid = '', rpcUrl = ''] = process.argv.slice(2)
  const { receipt, differences } = await checkReceipt(base, uid, rpcUrl)
  console.log(JSON.stringify(receipt, null, 2))
  console.log(differences.length === 0 ? 'every number is confirmed' : differences.join('\n'))
  process.exitCode = differences.length === 0 ? 0 : 1
}
