import { beforeAll, describe, expect, test } from 'vitest'
import { describedWorkers } from '#tools/workers/describedWorkers.ts'
import { createGateway } from '../../../functions/gateway/createGateway.ts'
import { type ApiDocument, createOpenApiValidator, type Exchange } from './openApiValidator.ts'

const owner = `0x${'12'.repeat(20)}`
const competition = {
  auctionId: 1,
  auctionStartBlock: 1,
  auctionDeadlineBlock: 4,
  transactionHashes: [],
  referenceScores: { [owner]: '5' },
  auction: { orders: [], prices: {} },
  solutions: [],
  leftOut: [],
}
const base = '/sepolia/api/v1'
const next = '/sepolia/api/v2'
const error = { errorType: 'NotFound', description: 'nothing here' }

let validate: (exchange: Exchange) => string[]

beforeAll(async () => {
  const gateway = createGateway({ workers: { sepolia: describedWorkers }, version: '1', log: () => undefined })
  const response = await gateway(new Request('http://edgebook.test/openapi.json'))
  validate = createOpenApiValidator((await response.json()) as ApiDocument)
})

const check = (
  path: string,
  status: number,
  body: unknown,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) =>
  validate({
    method,
    path,
    status,
    headers: new Headers({
      'Access-Control-Allow-Origin': '*',
      'X-Request-Id': 'r1',
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
      ...headers,
    }),
    body: body === null ? '' : JSON.stringify(body),
  })

describe('reports deviations', () => {
  const withHeader = (name: string, value: string) =>
    check(`${base}/auction`, 404, error, { headers: { [name]: value } })
  test.each<[string, RegExp, () => string[]]>([
    ['status', /418 is not among/, () => check(`${base}/auction`, 418, error)],
    ['error type', /allowedValues/, () => check(`${base}/auction`, 404, { ...error, errorType: 'NoLiquidity' })],
    [
      'missing field',
      /auctionId/,
      () => check(`${next}/solver_competition/1`, 200, { ...competition, auctionId: undefined }),
    ],
    [
      'undocumented field',
      /unevaluated.*extra/,
      () => check(`${next}/solver_competition/1`, 200, { ...competition, extra: 1 }),
    ],
    [
      'nested field',
      /unevaluated.*extra/,
      () =>
        check(`${next}/solver_competition/1`, 200, { ...competition, auction: { ...competition.auction, extra: 1 } }),
    ],
    [
      'type of a value',
      /referenceScores.*string/,
      () => check(`${next}/solver_competition/1`, 200, { ...competition, referenceScores: { a: 5 } }),
    ],
    [
      'content type',
      /text\/html/,
      () => check(`${base}/auction`, 404, error, { headers: { 'Content-Type': 'text/html' } }),
    ],
    ['envelope', /no envelope/, () => check(`${base}/auction`, 404, { reason: 'nothing' })],
    ['answer to an unknown path', /no such operation/, () => check('/nowhere', 200, {})],
    ['answer of an unknown network', /no such operation/, () => check('/atlantis/api/v1/version', 200, '')],
    ['CORS', /Access-Control-Allow-Origin/, () => withHeader('Access-Control-Allow-Origin', 'https://a.test')],
    ['request id', /X-Request-Id/, () => withHeader('X-Request-Id', '')],
    ['cached error', /Cache-Control/, () => withHeader('Cache-Control', 'public, max-age=60')],
    [
      '405 without Allow',
      /Allow/,
      () => check(`${base}/auction`, 405, { ...error, errorType: 'MethodNotAllowed' }, { method: 'PUT' }),
    ],
  ])('%s', (_, expected, answer) => {
    expect(answer().join('; ')).toMatch(expected)
  })
})
