import { expect, test } from 'vitest'
import { proposedSolutionSchema } from './driverApi.ts'
import { parseDriverJson } from './parseDriverJson.ts'
import { toDriverJson } from './toDriverJson.ts'

const solver = `0x${'5a'.repeat(20)}`
const read = (id: string) => {
  const answer = parseDriverJson(`{"solutions":[{"solutionId": ${id},"submissionAddress":"${solver}","orders":{}}]}`)
  const [solution] = (answer as { solutions: unknown[] }).solutions
  return proposedSolutionSchema.safeParse(solution)
}

test.each([
  ['7', 7],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_992n],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['18446744073709551615', 2n ** 64n - 1n],
  ['"18446744073709551615"', '18446744073709551615'],
])('reads the id %s exactly, and writes it as it came', (text, id) => {
  const { data } = read(text)
  expect(data?.solutionId).toBe(id)
  expect(toDriverJson({ solutionId: data?.solutionId ?? null, auctionId: '4' })).toBe(
    `{"solutionId":${text},"auctionId":"4"}`,
  )
})

test.each(['18446744073709551616', '9007199254740993.0', '9.007199254740993e15', '1e19', '-9007199254740993', '1.5'])(
  'refuses the id %s by name',
  (text) => {
    expect(read(text).error?.issues[0]).toMatchObject({
      path: ['solutionId'],
      message: 'an integer below 2^64, as a number or as decimal text',
    })
  },
)

test('leaves every other number and text as it is', () => {
  const text = '{"gas":9007199254740993,"note":"\\"solutionId\\":9007199254740993","solutionId":9007199254740993}'
  expect(parseDriverJson(text)).toEqual({
    gas: 9_007_199_254_740_992,
    note: '"solutionId":9007199254740993',
    solutionId: 9_007_199_254_740_993n,
  })
  expect(() => parseDriverJson('{"solutionId":9007199254740993')).toThrow(SyntaxError)
})

test('writes an empty id', () => {
  expect(toDriverJson({ auctionId: '4', solutionId: null })).toBe('{"solutionId":null,"auctionId":"4"}')
})
