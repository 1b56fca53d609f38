import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import { drawTheoremCase } from '../../helpers/orders/drawTheoremCase.ts'
import { toReserveKey } from '../chain/contracts/poolCode.ts'
import { toAllowanceKey, toBalanceKey } from '../chain/contracts/tokenCode.ts'
import { toHookLabel, walletAbi } from '../chain/contracts/walletCode.ts'
import type { Block } from '../chain/createChain.ts'
import {
  blockedAccount,
  type ModelToken,
  modelTokens,
  network,
  pools,
  proxyReceivers,
  refusingReceiver,
  rhythms,
  theoremTokens,
  unsteadyReceivers,
  type Works,
} from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { theoremWallets, unsteadyWallets } from '../wallets.ts'
import { createAccount, type Participant, type World } from '../world.ts'
import { type PlacementTerms, submitOrder } from './requests/submitOrder.ts'

const { WETH } = modelTokens
/** blocks until an order expires and its token serves the next one: more than a fillable one needs, also after bad weather */
const lifetimes = { still: 12, stormy: 40 }
/** blocks between the funding of an order and its placement, so that a node that lags shows it */
const leads = { still: 1, stormy: 4 }
const gasLimit = '150000'
const oddReceivers = [network.settlementContract, network.vaultRelayer, network.hooksTrampoline, network.ethFlow]

/** Without the pool of a token: what it receives as an order's receiver is what it pays, so quotes for it are refuted. */
const listOtherPools = (token: ModelToken): Address[] =>
  pools.flatMap(({ address, tokens }) => (tokens.includes(token.address) ? [] : [address]))

/** The wallet that a fault names by its first or last words. */
const findWallet = (fault: string, rhythm: number) => {
  const names = ['rejecting', 'burning', 'reverting'] as const
  const unsteady = fault.includes('unsteady') ? unsteadyWallets[rhythm] : undefined
  return unsteady ?? theoremWallets[names.find((name) => fault.includes(name)) ?? 'steady']
}

/** Works in a block where both do. */
const joinWorks = (a: Works | undefined, b: Works | undefined): Works | undefined =>
  a && b ? (block) => a(block) && b(block) : (a ?? b)

/**
 * Places random orders in a still market, each after a dry run: one at a time for each of its tokens, so that none moves
 * the market of another. Owners, funds, allowances, receivers, hooks, tokens, sizes and limits are random.
 */
export const createTheorist = (world: World, name: string, weather: keyof typeof lifetimes): Participant => {
  const [lifetime, lead] = [lifetimes[weather], leads[weather]]
  const dice = world.dice(name)
  const { chain, give } = world
  /** block from which a token is free */
  const free = new Map<ModelToken, number>()
  const ready: { from: number; place: () => Promise<unknown> }[] = []
  let placed = 0

  const allow = (token: ModelToken, owner: Hex, amount: bigint): void =>
    chain.store.set(toAllowanceKey(token.address, owner, network.vaultRelayer), amount)
  const toReleasingHook = (token: ModelToken, to: Hex, amount: bigint, wallet: Hex): string => {
    const args = [token.address, to, amount, toHookLabel(`theorem ${placed}`)] as const
    const callData = encodeFunctionData({ abi: walletAbi, functionName: 'releaseByHook', args })
    return JSON.stringify({ metadata: { hooks: { pre: [{ target: wallet, callData, gasLimit }] } } })
  }

  /** Words of the owner, of the token's pool, and of the account that a hook pays from. */
  const listWords = (token: ModelToken, sellToken: Address, owner: Hex, source: Hex | undefined): string[] => {
    const pool = pools.find(({ tokens }) => tokens.includes(token.address))
    return [
      ...(pool ? [toReserveKey(pool.address, 0), toReserveKey(pool.address, 1)] : []),
      toBalanceKey(sellToken, owner),
      toAllowanceKey(sellToken, owner, network.vaultRelayer),
      ...(source ? [toBalanceKey(sellToken, source)] : []),
    ]
  }

  /** Chooses an order and gives its owner what it needs. */
  const prepare = (block: Block, token: ModelToken): (() => Promise<unknown>) | undefined => {
    placed += 1
    const { fault, ether, limitBps, paysEther, ...drawn } = drawTheoremCase(dice)
    const [sell, buy] = drawn.sellsToken ? [token, WETH] : [WETH, token]
    const amount = sell === WETH ? ether : estimateOutput(chain, block, WETH.address, token.address, ether)
    const output = estimateOutput(chain, block, sell.address, buy.address, amount)
    if (output === 0n) return undefined
    const rhythm = dice.between(0, rhythms.length - 1)
    const wallet = fault.endsWith('wallet') ? findWallet(fault, rhythm) : undefined
    const account = wallet?.owner ?? createAccount(`${name} ${placed}`)
    const owner = wallet?.address ?? account.address
    const part = fault.startsWith('no ') ? 0n : fault.startsWith('half ') ? amount / 2n : amount
    const terms: PlacementTerms = {
      ...{ sellToken: sell.address, buyToken: buy.address, sellAmount: amount, owner },
      buyAmount: (output * BigInt(limitBps)) / 10_000n,
      ...{ kind: drawn.kind, partiallyFillable: drawn.partiallyFillable },
      isTrap: true,
    }
    let source: Hex | undefined
    if (buy === WETH && paysEther) terms.buyToken = nativeSentinel
    if (wallet) terms.scheme = 'eip1271'
    if (fault === 'blocked receiver') terms.receiver = blockedAccount
    if (fault === 'proxy receiver') terms.receiver = dice.pick(proxyReceivers)
    if (fault === 'refusing receiver') terms.receiver = refusingReceiver
    if (fault === 'unsteady receiver' && buy === WETH) terms.receiver = unsteadyReceivers[rhythm] ?? refusingReceiver
    if (fault === 'odd receiver') terms.receiver = dice.pick([...listOtherPools(token), ...oddReceivers, sell.address])
    if (fault === 'not presigned') terms.scheme = 'presign'
    if (fault === 'partner fee') {
      const bps = dice.between(1, 90)
      const partnerFee = { volumeBps: bps, recipient: theoremWallets.steady.address }
      terms.partnerFees = [{ kind: 'volume', bps: BigInt(bps) }]
      terms.appData = JSON.stringify({ metadata: { partnerFee } })
    }
    if (fault === 'required wrapper') {
      const wrappers = [{ address: theoremWallets.steady.address, data: '0x' }]
      terms.appData = JSON.stringify({ metadata: { wrappers } })
    }
    if (fault === 'failing hook') {
      const hooks = { post: [{ target: theoremWallets.reverting.address, callData: '0x12345678', gasLimit }] }
      terms.appData = JSON.stringify({ metadata: { hooks } })
    }
    if (fault.startsWith('funds by ')) {
      source = findWallet(fault, rhythm).address
      give(sell.address, source, amount)
      terms.appData = toReleasingHook(sell, owner, amount, source)
    } else give(sell.address, owner, fault.endsWith(' funds') ? part : amount)
    allow(sell, owner, fault.endsWith(' allowance') ? part : maxUint256)
    // a token that cannot be traded may be the only reason
    const own =
      fault.includes('unsteady') && (buy === WETH || !fault.endsWith('receiver')) ? rhythms[rhythm] : undefined
    const predicted = {
      works: joinWorks(own, token.works),
      isTried: token.works === undefined || sell === token,
      fault: token.manner && fault !== '' ? 'strange token' : fault,
      words: listWords(token, sell.address, owner, source),
    }
    return () => {
      const validTo = Math.floor(world.now() / 1_000) + lifetime * network.blockTimeSeconds
      return submitOrder(world, account, { ...terms, validTo, predicted })
    }
  }

  return {
    name,
    act: async (block) => {
      if ((ready[0]?.from ?? block.number + 1) <= block.number) await ready.shift()?.place()
      // the service has prices of its tokens then
      if (block.number < 4) return
      const unused = theoremTokens.filter((each) => (free.get(each) ?? 0) <= block.number)
      if (unused.length === 0) return
      const token = dice.pick(unused)
      free.set(token, block.number + lead + lifetime + 1)
      const place = prepare(block, token)
      if (place) ready.push({ from: block.number + lead, place })
    },
  }
}
