import { describe, expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { applyEvent } from './applyEvent.ts'

describe('applyEvent', () => {
  const order = sampleOrder({ executedSellAmount: '3', executedBuyAmount: '7' })
  const { validTo } = order

  test('without an event returns the loaded order', () => {
    expect(applyEvent(order, undefined, validTo)).toEqual(order)
  })

  test('an event changes the status and the executed amounts', () => {
    const changes = { status: 'fulfilled', executedSellAmount: '10', executedBuyAmount: '20' } as const
    const executedSellAmountBeforeFees = '10'
    expect(applyEvent(order, changes, validTo + 1)).toEqual({ ...order, ...changes, executedSellAmountBeforeFees })
  })

  test('an event executes the signed fee in proportion', () => {
    const signed = { sellAmount: '900', buyAmount: '2000', feeAmount: '100' }
    const half = { status: 'open', executedSellAmount: '500', executedBuyAmount: '1000' } as const
    const executed = { executedFeeAmount: '50', executedSellAmountBeforeFees: '450' }
    expect(applyEvent(sampleOrder(signed), half, validTo)).toMatchObject(executed)
    expect(applyEvent(sampleOrder({ ...signed, kind: 'buy' }), half, validTo)).toMatchObject(executed)
  })

  test('an order that waits for its signature ends after its last valid second', () => {
    const pending = sampleOrder({ status: 'presignaturePending' })
    expect(applyEvent(pending, undefined, validTo).status).toBe('presignaturePending')
    expect(applyEvent(pending, undefined, validTo + 1).status).toBe('expired')
  })

  test('an open order ends after its last valid second', () => {
    expect(applyEvent(order, undefined, validTo).status).toBe('open')
    expect(applyEvent(order, undefined, validTo + 1).status).toBe('expired')
    const filledInPart = { status: 'open', executedSellAmount: '5', executedBuyAmount: '9' } as const
    expect(applyEvent(order, filledInPart, validTo + 1)).toMatchObject({ status: 'expired', executedBuyAmount: '9' })
  })

  test("an order that sells the native token ends at its user's validity", () => {
    const ethflowData = { userValidTo: validTo, refundTxHash: null, isRefunded: false }
    const signed = sampleOrder({ validTo: 2 ** 32 - 1, ethflowData })
    expect(applyEvent(signed, undefined, validTo).status).toBe('open')
    expect(applyEvent(signed, undefined, validTo + 1).status).toBe('expired')
  })

  test('a cancelled order stays cancelled', () => {
    expect(applyEvent(sampleOrder({ status: 'cancelled' }), undefined, validTo + 1).status).toBe('cancelled')
  })
})
