import { honestTokens, network, toAddress } from '../market.ts'
import type { FeeShare, Participant, World } from '../world.ts'
import { chooseMarketTerms } from './chooseMarketTerms.ts'
import { fundTrader } from './createMarketTrader.ts'
import { submitOrder } from './requests/submitOrder.ts'

const recipient = toAddress('partner')

/** Trades through a front end that takes a fee of the volume or of the surplus, some orders only from a later second on. */
export const createPartnerTrader = (world: World, name: string): Participant => {
  const dice = world.dice(name)
  const account = fundTrader(world, name, honestTokens)
  const chooseFee = (): FeeShare =>
    dice.chance(0.5)
      ? { kind: 'volume', bps: BigInt(dice.between(1, 50)) }
      : { kind: 'surplus', bps: BigInt(dice.between(1, 60) * 100), capBps: BigInt(dice.between(1, 50)) }
  const toDocument = (fee: FeeShare, validFrom: number): string => {
    const bps = Number(fee.bps)
    const partnerFee =
      fee.kind === 'volume'
        ? { recipient, volumeBps: bps }
        : { recipient, surplusBps: bps, maxVolumeBps: Number(fee.capBps) }
    return JSON.stringify({ metadata: { partnerFee, ...(validFrom === 0 ? {} : { validFrom }) } })
  }

  return {
    name,
    act: async (block) => {
      if (block.number < 2 || !dice.chance(0.12)) return
      const terms = chooseMarketTerms(world, dice, block)
      if (!terms) return
      const partnerFee = chooseFee()
      const now = Math.floor(world.now() / 1_000)
      const validFrom = dice.chance(0.4) ? now + dice.between(1, 4 * network.blockTimeSeconds) : 0
      await submitOrder(world, account, { ...terms, partnerFee, validFrom, appData: toDocument(partnerFee, validFrom) })
    },
  }
}
