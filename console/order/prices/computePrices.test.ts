import { describe, expect, it } from 'vitest'
import { sampleOrder, sampleTrade, usdc, weth } from '../../testing/sampleOrder.ts'
import { formatShare } from '../../ui/formatShare.ts'
import { formatPrice, isBetterInverted } from '../terms/formatPrice.ts'
import { computeFees } from './computeFees.ts'
import { computePrices } from './computePrices.ts'
import { sumPartnerFees } from './findPartnerPolicies.ts'
import { toWholeFill } from './toWholeFill.ts'

const wei = 10n ** 18n
const decimals = { sell: 18, buy: 6 }
const quote = {
  gasAmount: '0',
  gasPrice: '0',
  sellTokenPrice: '1',
  sellAmount: String(wei),
  buyAmount: '2520000000',
  feeAmount: String(wei / 1_000n),
  solver: weth,
  verified: true,
  metadata: {},
}

describe('computePrices', () => {
  it('the surplus of a sell order is its bought amount over the limit, and over the quote less the network fee', () => {
    const order = sampleOrder({ quote })
    const { limit, quote: quoted, executed, surplus, improvement } = computePrices(order, sampleTrade())
    expect(formatPrice(limit, decimals)).toBe('2,500')
    expect(quoted && formatPrice(quoted, decimals)).toBe('2,517.48')
    expect(executed && formatPrice(executed, decimals)).toBe('2,512.3')
    expect(surplus).toEqual({ atoms: 12_300_000n, of: 2_500_000_000n })
    expect(surplus && formatShare(surplus.atoms, surplus.of)).toBe('0.492 %')
    expect(improvement).toEqual({ atoms: -5_180_000n, of: 2_517_480_000n })
    expect(improvement && formatShare(improvement.atoms, improvement.of)).toBe('−0.205 %')
  })

  it('the surplus of a buy order is the amount that it did not sell', () => {
    const order = sampleOrder({
      kind: 'buy',
      sellAmount: String(wei),
      buyAmount: '2500000000',
      quote: { ...quote, buyAmount: '2500000000', sellAmount: String((wei * 98n) / 100n) },
    })
    const fill = {
      sellAmount: String((wei * 97n) / 100n),
      sellAmountBeforeFees: String((wei * 97n) / 100n),
      buyAmount: '2500000000',
    }
    const { surplus, improvement } = computePrices(order, fill)
    expect(surplus).toEqual({ atoms: (wei * 3n) / 100n, of: wei })
    expect(improvement).toEqual({ atoms: (wei * 11n) / 1_000n, of: (wei * 981n) / 1_000n })
  })

  it('a sell order that signs the fee of its quote is compared with the whole rate of the quote', () => {
    const sold = String((wei * 999n) / 1_000n)
    const order = sampleOrder({ sellAmount: sold, buyAmount: '2517480000', feeAmount: quote.feeAmount, quote })
    const fill = { sellAmount: String(wei), sellAmountBeforeFees: sold, buyAmount: '2517480001' }
    expect(computePrices(order, fill)).toMatchObject({
      surplus: { atoms: 1n, of: 2_517_480_000n },
      improvement: { atoms: 1n, of: 2_517_480_000n },
    })
  })

  it('a partial fill is compared with that part of the limit, rounded against the surplus', () => {
    const order = sampleOrder({ sellAmount: '3', buyAmount: '10' })
    expect(computePrices(order, { sellAmount: '1', sellAmountBeforeFees: '1', buyAmount: '5' }).surplus).toEqual({
      atoms: 1n,
      of: 4n,
    })
  })

  it('omits figures without a fill or without a quote', () => {
    expect(computePrices(sampleOrder(), toWholeFill(sampleOrder()))).toMatchObject({
      quote: null,
      executed: null,
      surplus: null,
      improvement: null,
    })
  })
})

describe('formatPrice', () => {
  it.each([
    [wei, 2_512_300_000n, decimals, false, '2,512.3'],
    [wei, 2_512_300_000n, decimals, true, '0.000398042'],
    [1n, 10n ** 30n, { sell: 18, buy: 18 }, false, `1${',000'.repeat(10)}`],
    [10n ** 30n, 1n, { sell: 18, buy: 18 }, false, '0.000000000000000000000000000001'],
    [0n, 1n, decimals, false, undefined],
  ])('formats the price of %s for %s', (sell, buy, places, isInverted, text) => {
    expect(formatPrice({ sell, buy }, places, isInverted)).toBe(text)
  })

  it('a price below one is easier to read inverted', () => {
    expect(isBetterInverted({ sell: wei, buy: 2_500_000_000n }, decimals)).toBe(false)
    expect(isBetterInverted({ sell: 2_500_000_000n, buy: wei }, { sell: 6, buy: 18 })).toBe(true)
  })
})

describe('partner fees', () => {
  const volume = (amount: string, token = usdc) => ({ policy: { volume: { factor: 0.001 } }, amount, token })
  const trades = [sampleTrade({ executedProtocolFees: [volume('1000000'), volume('2000000')] })]
  const order = sampleOrder({ fullAppData: '{"metadata":{"partnerFee":{"volumeBps":8}}}' })

  it('are the last ones of a trade, and no loss against the quote', () => {
    expect(sumPartnerFees(order, trades)).toBe(2_000_000n)
    expect(sumPartnerFees(sampleOrder(), trades)).toBe(0n)
    expect(computeFees(order, trades).policies.map(({ isPartner }) => isPartner)).toEqual([false, true])
    const fill = { sellAmount: String(wei), sellAmountBeforeFees: String(wei), buyAmount: '2516000000' }
    const { improvement } = computePrices(sampleOrder({ quote }), fill, 2_000_000n)
    expect(improvement?.atoms).toBe(520_000n)
  })

  it.each(['', 'no JSON', '{}', '{"metadata":null}'])('are none for the app data %j', (fullAppData) => {
    expect(sumPartnerFees(sampleOrder({ fullAppData }), trades)).toBe(0n)
  })
})

describe('computeFees', () => {
  const executed = {
    executedSellAmount: String(wei),
    executedSellAmountBeforeFees: String(wei),
    executedBuyAmount: '2500000000',
    executedFee: String(wei / 100n),
  }

  it('converts buy token fees of a sell order at the price before all fees', () => {
    const policy = { volume: { factor: 0.001 } }
    const trades = [sampleTrade({ executedProtocolFees: [{ policy, amount: '2500000', token: usdc }] })]
    expect(computeFees(sampleOrder(executed), trades)).toEqual({
      total: wei / 100n,
      signed: 0n,
      token: weth,
      policies: [{ kind: 'volume', factor: 0.001, token: usdc, atoms: 2_500_000n, isPartner: false }],
      network: wei / 100n - (wei * 99n) / 100_000n,
    })
  })

  it('sums each policy over all trades', () => {
    const surplus = { policy: { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } }, amount: '10', token: weth }
    const volume = { policy: { volume: { factor: 0.001 } }, amount: '7', token: weth }
    const trades = [
      sampleTrade({ executedProtocolFees: [surplus, volume] }),
      sampleTrade({ logIndex: 4, executedProtocolFees: [surplus] }),
    ]
    const { policies, network } = computeFees(sampleOrder({ ...executed, kind: 'buy' }), trades)
    expect(policies.map(({ kind, atoms }) => [kind, atoms])).toEqual([
      ['surplus', 20n],
      ['volume', 7n],
    ])
    expect(network).toBe(wei / 100n - 27n)
  })

  it('adds a signed fee, which is outside the price', () => {
    const signed = { ...executed, executedSellAmount: String(wei + 9n), executedFeeAmount: '9', executedFee: '0' }
    const { total, signed: paid, network } = computeFees(sampleOrder({ ...signed, feeAmount: '9' }), [sampleTrade()])
    expect([total, paid, network]).toEqual([9n, 9n, 0n])
  })

  it('omits the network fee before the first fill', () => {
    expect(computeFees(sampleOrder(), [])).toMatchObject({ total: 0n, network: null })
  })
})
