import { describe, expect, test } from 'vitest'
import { ApiFailure, asFailure, toApiFailure } from './ApiFailure.ts'
import { read } from './read.ts'

const refuse = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

describe('toApiFailure', () => {
  test('reads description and data of an order book error', () => {
    const body = { errorType: 'SellAmountDoesNotCoverFee', description: 'too little', data: { fee_amount: '0x7' } }
    const failure = toApiFailure(body, refuse(400, { 'X-Request-Id': 'r1' }))
    expect(failure.message).toBe('too little')
    expect(failure.facts).toEqual({
      status: 400,
      errorType: 'SellAmountDoesNotCoverFee',
      data: { fee_amount: '0x7' },
      requestId: 'r1',
      retryAfterMs: undefined,
    })
  })

  test('reads the message of an auxiliary API error', () => {
    expect(toApiFailure({ message: 'no such token' }, refuse(404))).toMatchObject({
      message: 'no such token',
      facts: { errorType: null, data: {}, requestId: null },
    })
  })

  test.each([undefined, null, 'Bad gateway', ''])('shows the status when the body is %j', (body) => {
    expect(toApiFailure(body, refuse(502))).toMatchObject({
      message: 'the API responded with status 502',
      facts: { status: 502 },
    })
  })

  test.each([
    ['30', 30_000],
    ['0', 0],
    ['999999999', 3_600_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('reads Retry-After %j', (header, retryAfterMs) => {
    expect(toApiFailure({}, refuse(429, { 'Retry-After': header })).facts.retryAfterMs).toBe(retryAfterMs)
  })
})

describe('asFailure', () => {
  test('returns an ApiFailure unchanged', () => {
    const failure = toApiFailure({}, refuse(500))
    expect(asFailure(failure)).toBe(failure)
  })

  test.each([
    [new TypeError('Failed to fetch'), 'The API cannot be reached.'],
    [new DOMException('signal timed out', 'TimeoutError'), 'The API did not respond in time.'],
    [new Error('an event of the stream is too long'), 'an event of the stream is too long'],
    ['words', 'words'],
    [undefined, 'undefined'],
  ])('makes a readable failure of %s', (thrown, message) => {
    expect(asFailure(thrown)).toMatchObject({ message, facts: { status: 0, errorType: null } })
  })
})

describe('read', () => {
  test('returns the data', async () => {
    expect(await read(Promise.resolve({ data: [], response: new Response() }))).toEqual([])
  })

  test('throws the error of the response', async () => {
    const error = { errorType: 'NotFound', description: 'no such order' }
    const result = read(Promise.resolve({ error, response: refuse(404) }))
    await expect(result).rejects.toThrow(ApiFailure)
    await expect(result).rejects.toMatchObject({ message: 'no such order', facts: { status: 404 } })
  })

  test.each([undefined, null])('rejects %s as data', async (data) => {
    await expect(read(Promise.resolve({ data, response: new Response() }))).rejects.toThrow(
      'the API responded with status 200',
    )
  })
})
