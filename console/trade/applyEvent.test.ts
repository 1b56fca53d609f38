import { describe, expect, test } from 'vitest'
import { sampleOrder } from '../testing/sampleOrder.ts'
import { applyEvent } from './applyEvent.ts'

describe('applyEvent', () => {
  const order = sampleOrder({ executedSellAmount: '3', executedBuyAmount: '7' })
  const { validTo } = order

  test('without an event the order is as it was asked for', () => {
    expect(applyEvent(order, undefined, validTo)).toEqual(order)
  })

  test('an event changes the status and what is filled', () => {
    const changes = { status: 'fulfilled', executedSellAmount: '10', executedBuyAmount: '20' } as const
    expect(applyEvent(order, changes, validTo + 1)).toEqual({ ...order, ...changes })
  })

  test('an open order ends after its last valid second', () => {
    expect(applyEvent(order, undefined, validTo).status).toBe('open')
    expect(applyEvent(order, undefined, validTo + 1).status).toBe('expired')
    const filledInPart = { status: 'open', executedSellAmount: '5', executedBuyAmount: '9' } as const
    expect(applyEvent(order, filledInPart, validTo + 1)).toMatchObject({ status: 'expired', executedBuyAmount: '9' })
  })

  test('an order that sells the native token ends when its user said', () => {
    const ethflowData = { userValidTo: validTo, refundTxHash: null, isRefunded: false }
    const signed = sampleOrder({ validTo: 2 ** 32 - 1, ethflowData })
    expect(applyEvent(signed, undefined, validTo).status).toBe('open')
    expect(applyEvent(signed, undefined, validTo + 1).status).toBe('expired')
  })

  test('a cancelled one stays cancelled', () => {
    expect(applyEvent(sampleOrder({ status: 'cancelled' }), undefined, validTo + 1).status).toBe('cancelled')
  })
})
