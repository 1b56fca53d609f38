import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import type { Draft } from '../draft/draft.ts'
import { toQuestion, toQuestionKey, toQuoteRequest } from './quoteQuestion.ts'

const ask = (changes: Partial<Draft> = {}, owner: string | null = null) =>
  toQuestion(sampleDraft({ amount: 100n, ...changes }), owner)
const request = (changes: Partial<Draft> = {}, owner: string | null = null) => {
  const question = ask(changes, owner)
  if (!question) throw new Error('nothing to ask')
  return toQuoteRequest(question, 1_000)
}

describe('toQuestion', () => {
  test('needs both tokens, an amount and no fault except in the price', () => {
    expect(ask({ sell: undefined })).toBeUndefined()
    expect(ask({ buy: undefined })).toBeUndefined()
    expect(ask({ amount: undefined })).toBeUndefined()
    expect(ask({ faults: { receiver: 'no address' } })).toBeUndefined()
    expect(ask({ faults: { price: 'no number' } })).toBeDefined()
  })

  test('changes with anything that a quote depends on', () => {
    const questions = [
      ask(),
      ask({}, '0x0a'),
      ask({ amount: 101n }),
      ask({ kind: 'buy' }),
      ask({ slippageBps: 51 }),
      ask({ validFor: 600 }),
      ask({ receiver: '0x0b' }),
      ask({ buy: { address: '0x03', decimals: 6 } }),
      undefined,
    ]
    expect(new Set(questions.map(toQuestionKey)).size).toBe(questions.length)
    expect(toQuestionKey(ask({ isPartiallyFillable: true }))).toBe(toQuestionKey(ask()))
  })
})

describe('toQuoteRequest', () => {
  test('a market order: with its slippage and validity', () => {
    expect(request()).toMatchObject({
      kind: 'sell',
      sellAmountBeforeFee: '100',
      from: zeroAddress,
      slippageBps: 50,
      validTo: 2_800,
    })
    expect(request()).not.toHaveProperty('receiver')
  })

  test('a buy order has its buy amount', () => {
    const asked = request({ kind: 'buy', receiver: '0x0b' }, '0x0a')
    expect(asked).toMatchObject({ kind: 'buy', buyAmountAfterFee: '100', from: '0x0a', receiver: '0x0b' })
    expect(asked).not.toHaveProperty('sellAmountBeforeFee')
  })

  test('a limit order has its own price and may outlive its quote', () => {
    expect(request({ type: 'limit', validFor: 604_800 })).toMatchObject({ slippageBps: 0, validTo: 1_000 + 7_200 })
  })
})
