import { honestTokens } from '../market.ts'
import { createAccount, type Participant, type SimulatedAccount, type World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

/** name of the actor */
export const clashingTrader = 'clashing trader'

/** A driver reads each of its orders alone, and refuses them beside those of its other accounts, or of an honest trader. */
const forms = ['crowd', 'honest'] as const

const createOwn = (name: string): SimulatedAccount => createAccount(`${clashingTrader} ${name}`)
const crowd = Array.from({ length: 6 }, (_, i) => createOwn(`crowd ${i}`))
const opponent = createOwn('opponent')
const { address: honestAddress } = createAccount('trader 0')

/** Whether the drivers of honest solvers refuse a body: it contains orders that clash. */
export const isClashing = (body: string): boolean => {
  const has = ({ address }: { address: string }) => body.includes(address)
  return crowd.filter(has).length > 1 || (has(opponent) && body.includes(honestAddress))
}

/** Places orders that drivers refuse only together. Most stand above the market, so that they remain in the auctions. */
export const createClashingTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const accounts = dice.pick(forms) === 'honest' ? [opponent] : crowd.slice(0, dice.between(2, crowd.length))
  for (const account of accounts) fundTrader(world, account.name, honestTokens)
  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.4)) return
      const terms = chooseMarketTerms(world, dice, block)
      const limitPercent = dice.chance(0.8) ? dice.between(102, 105) : 99
      if (!terms) return
      const buyAmount = (terms.buyAmount * BigInt(limitPercent)) / 100n
      await submitOrder(world, dice.pick(accounts), { ...terms, buyAmount, isTrap: true })
    },
  }
}
