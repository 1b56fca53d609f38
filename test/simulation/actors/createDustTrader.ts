import { modelTokens, network } from '../market.ts'
import { createAccount, type Participant, type World } from '../world.ts'
import { approveRelayer } from './createMarketTrader.ts'
import { requestClientQuote } from './requests/requestClientQuote.ts'
import { type PlacementTerms, submitOrder } from './requests/submitOrder.ts'

/** Orders of a book in the runs of a dust trader, so that it fills the book. */
export const dustyBookOrders = 5

/** name of the actor */
export const dustTrader = 'dust trader'

/**
 * What the orders trade: a few atoms of a token for one of another, by the sold amount or by the bought one, some atoms
 * without a value of their own, or a large amount of which the owner has a few atoms.
 */
const forms = ['sells', 'buys', 'atoms', 'starved'] as const

/** orders of each account, fewer than an owner may have outside the market */
const ordersPerAccount = 8
/** fresh accounts per block: their orders exceed the places of a cut */
const accountsPerBlock = 1
/** atoms of an order, and of its owner */
const dust = 1_000n

/** Fills the book with generous orders of fresh accounts that cannot pay for their settlement. */
export const createDustTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const form = dice.pick(forms)
  const { WETH, USDC, COW } = modelTokens
  const [sell, buy] = form === 'atoms' ? [USDC, COW] : [WETH, USDC]
  const quoter = createAccount(`${name} quoter`)
  let created = 0

  const createOwners = () =>
    Array.from({ length: accountsPerBlock }, () => {
      created += 1
      const account = createAccount(`${name} ${created}`)
      world.give(sell.address, account.address, form === 'starved' ? dust : dust * BigInt(ordersPerAccount))
      approveRelayer(world, account, [sell])
      return account
    })
  /** Amounts differ, because equal orders are one. */
  const chooseTerms = (i: number): PlacementTerms => {
    const validTo = Math.floor(world.now() / 1_000) + (100 + i) * network.blockTimeSeconds
    const base = { sellToken: sell.address, buyToken: buy.address, validTo, sellAmount: dust, buyAmount: 1n }
    if (form === 'buys') return { ...base, kind: 'buy' }
    if (form !== 'starved') return base
    return { ...base, sellAmount: 10n ** 19n, buyAmount: 10n ** 10n, partiallyFillable: true }
  }
  let owners = createOwners()

  return {
    name,
    act: async (block) => {
      // the newest quote states the gas price of places
      if (block.number === 1) {
        const pair = { sellToken: WETH.address, buyToken: USDC.address, from: quoter.address }
        await requestClientQuote(world, name, { ...pair, kind: 'sell', sellAmountBeforeFee: `${10n ** 18n}` })
      }
      const ready = owners
      owners = createOwners()
      if (block.number < 2) return
      for (const account of ready)
        for (let i = 0; i < ordersPerAccount; i += 1) await submitOrder(world, account, chooseTerms(i))
    },
  }
}
