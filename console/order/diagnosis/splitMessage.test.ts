import { expect, it } from 'vitest'
import { type Part, splitMessage } from './splitMessage.ts'

const sellToken = `0x${'aa'.repeat(20)}`
const buyToken = `0x${'bb'.repeat(20)}`

it.each<[string, Part[]]>([
  [
    `The order is filled: 1000 atoms of ${sellToken} for 2000 atoms of ${buyToken}.`,
    [
      'The order is filled: ',
      { kind: 'amount', atoms: ['1000'], token: sellToken },
      ' for ',
      { kind: 'amount', atoms: ['2000'], token: buyToken },
      '.',
    ],
  ],
  [
    `too small a balance of its owner: 5 of 1000 atoms of ${sellToken}.`,
    ['too small a balance of its owner: ', { kind: 'amount', atoms: ['5', '1000'], token: sellToken }, '.'],
  ],
  [
    `Send another 995 atoms of ${sellToken} to the owner; the order returns to the auctions automatically.`,
    [
      'Send another ',
      { kind: 'amount', atoms: ['995'], token: sellToken },
      ' to the owner; the order returns to the auctions automatically.',
    ],
  ],
  [
    "its limit of 0.0000000025 buy token atoms per sell token atom, 33.34 % better than the market's 1.5 buy token atoms per sell token atom.",
    [
      'its limit of ',
      { kind: 'price', price: '0.0000000025' },
      ", 33.34 % better than the market's ",
      { kind: 'price', price: '1.5' },
      '.',
    ],
  ],
  [
    'too small a balance of its owner: 0 of 1,000 DAI, below its limit of 3,150 DAI per WETH',
    ['too small a balance of its owner: 0 of 1,000 DAI, below its limit of 3,150 DAI per WETH'],
  ],
  [
    'The order expired at 2030-03-17T17:46:39.000Z, unfilled',
    ['The order expired at ', { kind: 'time', time: '2030-03-17T17:46:39.000Z' }, ', unfilled'],
  ],
  [
    `The solver ${buyToken} won auction 7 and settles the order on-chain up to block 105.`,
    ['The solver ', { kind: 'hex', value: buyToken }, ' won auction 7 and settles the order on-chain up to block 105.'],
  ],
  ['No reason is known.', ['No reason is known.']],
])('splits “%s”', (message, parts) => {
  expect(splitMessage(message)).toEqual(parts)
})
