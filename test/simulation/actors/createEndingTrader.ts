import { type Address, encodeFunctionData } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import type { Block } from '../chain/createChain.ts'
import { toWeiKey } from '../chain/machine.ts'
import { honestTokens, modelTokens, network, theoremTokens, toAddress } from '../market.ts'
import { estimateOutput } from '../oracle/estimateOutput.ts'
import { unsteadyWallets } from '../wallets.ts'
import type { Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { fundWallet } from './createWalletTrader.ts'
import { type PlacementTerms, submitOrder } from './requests/submitOrder.ts'

/** name of the actor */
export const endingTrader = 'ending trader'

/**
 * Why an order that was valid at its auction fails in the next block: its owner invalidated it there first, or its
 * wallet or the bought token works in some blocks only.
 */
const forms = ['invalidated', 'wallet', 'token'] as const

/** before all others of a block */
const tip = 10n ** 11n
const vault = toAddress(`${endingTrader} vault`)
const unsteadyTokens = theoremTokens.filter(({ works }) => works)

/**
 * Places generous orders, most of fresh accounts, that end between their auctions and their settlements. The funds of a
 * standing order leave and return in turns.
 */
export const createEndingTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  let created = 0
  const create = () => {
    created += 1
    return fundTrader(world, `${name} ${created}`, honestTokens)
  }
  let next = create()
  const standing = create()
  world.chain.store.set(toWeiKey(vault), 10n ** 21n)
  const moveFunds = (): void => {
    const [from, to] = (isAway ? [vault, standing.address] : [standing.address, vault]) as [Address, Address]
    for (const { address: token } of honestTokens) {
      const amount = world.chain.store.get(toBalanceKey(token, from))
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
      world.transact(from, token, data, { tip })
    }
    isAway = !isAway
  }
  let isAway = false
  if (form === 'wallet') for (const wallet of unsteadyWallets) fundWallet(world, wallet)

  const chooseTerms = (block: Block): PlacementTerms | undefined => {
    if (form !== 'token') return chooseMarketTerms(world, dice, block)
    const [sellToken, sellAmount] = [modelTokens.WETH.address, BigInt(dice.between(1, 20)) * 10n ** 17n]
    const buyToken = dice.pick(unsteadyTokens).address
    const buyAmount = estimateOutput(world.chain, block, sellToken, buyToken, sellAmount)
    return { sellToken, buyToken, sellAmount, buyAmount }
  }
  const place = async (block: Block): Promise<void> => {
    const account = next
    next = create()
    const market = chooseTerms(block)
    if (!market) return
    const buyAmount = (market.buyAmount * 9n) / 10n
    const validTo = Math.floor(world.now() / 1_000) + 20 * network.blockTimeSeconds
    const terms = { ...market, kind: 'sell', partiallyFillable: false, buyAmount, validTo, isTrap: true } as const
    if (form === 'wallet') {
      const { owner, address } = dice.pick(unsteadyWallets)
      await submitOrder(world, owner, { ...terms, scheme: 'eip1271', owner: address })
      return
    }
    const uid = await submitOrder(world, account, terms)
    if (!uid || form !== 'invalidated') return
    const data = encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid] })
    world.transact(account.address, network.settlementContract, data, { tip })
  }
  /** above the market, so that it remains in the auctions */
  const placeStanding = async (block: Block): Promise<void> => {
    const terms = chooseMarketTerms(world, dice, block)
    if (!terms) return
    const validTo = Math.floor(world.now() / 1_000) + 500 * network.blockTimeSeconds
    await submitOrder(world, standing, { ...terms, buyAmount: (terms.buyAmount * 105n) / 100n, validTo, isTrap: true })
  }
  return {
    name,
    act: async (block) => {
      if (block.number < 2) return
      if (block.number === 2) await placeStanding(block)
      else moveFunds()
      if (dice.chance(0.7)) await place(block)
    },
  }
}
