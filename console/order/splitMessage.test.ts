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
    `Send 995 more atoms of ${sellToken} to the owner; the order returns to the auctions by itself.`,
    [
      'Send ',
      { kind: 'amount', atoms: ['995'], token: sellToken },
      ' more',
      ' to the owner; the order returns to the auctions by itself.',
    ],
  ],
  ['for at least 12 atoms of the sell token', ['for at least ', { kind: 'amount', atoms: ['12'], token: sellToken }]],
  ['with 3 sell token atoms available', ['with ', { kind: 'amount', atoms: ['3'], token: sellToken }, ' available']],
  [
    "its limit of 0.0000000025 buy token atoms per sell token atom, 33.34 % above the market's 1.5.",
    [
      'its limit of ',
      { kind: 'price', price: '0.0000000025' },
      ", 33.34 % above the market's ",
      { kind: 'price', price: '1.5' },
      '.',
    ],
  ],
  [
    'The order expired at 2030-03-17T17:46:39.000Z, unfilled',
    ['The order expired at ', { kind: 'time', time: '2030-03-17T17:46:39.000Z' }, ', unfilled'],
  ],
  [
    `The solver ${buyToken} won auction 7 and settles the order on-chain up to block 105.`,
    ['The solver ', { kind: 'hex', value: buyToken }, ' won auction 7 and settles the order on-chain up to block 105.'],
  ],
  ['Nobody knows.', ['Nobody knows.']],
])('%s', (message, parts) => {
  expect(splitMessage(message, { sellToken, buyToken })).toEqual(parts)
})
