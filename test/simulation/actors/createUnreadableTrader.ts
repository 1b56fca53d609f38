import { honestTokens } from '../market.ts'
import { createAccount, type Participant, type World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

const traderName = 'unreadable trader'

const { address } = createAccount(traderName)

/** Whether the drivers of honest solvers refuse a body: it names an order of this trader. */
export const isUnreadable = (body: string): boolean => body.includes(address)

/** Places orders in a form that no driver can read. */
export const createUnreadableTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.15)) return
      const terms = chooseMarketTerms(world, dice, block)
      if (terms) await submitOrder(world, account, { ...terms, isTrap: true })
    },
  }
}
