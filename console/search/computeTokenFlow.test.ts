import { expect, test } from 'vitest'
import { computeTokenFlow } from './computeTokenFlow.ts'

const [weth, usdc, hash] = ['0xaa', '0xbb', '0x11']

type Solutions = Parameters<typeof computeTokenFlow>[0]['solutions']
const toSolution = (txHash: string | null, orders: (readonly [string, string, string, string])[]) =>
  ({
    txHash,
    orders: orders.map(([sellToken, sellAmount, buyToken, buyAmount]) => ({
      ...{ id: '0x', sellToken, sellAmount, buyToken, buyAmount },
    })),
  }) as unknown as Solutions[number]

test('a token that some traders pay and others receive has both amounts, of the transaction alone', () => {
  const solutions = [
    toSolution(hash, [
      [weth, '5', usdc, '9000'],
      [usdc, '3000', weth, '2'],
    ]),
    toSolution('0x22', [[weth, '7', usdc, '1']]),
    toSolution(null, [[weth, '7', usdc, '1']]),
  ]
  expect(computeTokenFlow({ solutions }, hash)).toEqual([
    { token: weth, paid: 5n, received: 2n },
    { token: usdc, paid: 3_000n, received: 9_000n },
  ])
})
