import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { isTransferAccepted } from './isTransferAccepted.ts'
import { readSingleWord, readWord } from './readWord.ts'

const word = (value: string): string => value.padStart(64, '0')

test.each<[string, Hex | undefined, bigint | undefined, bigint | undefined]>([
  ['no return data', undefined, undefined, undefined],
  ['empty return data', '0x', undefined, undefined],
  ['31 bytes', `0x${'ff'.repeat(31)}`, undefined, undefined],
  ['one word', `0x${word('2a')}`, 42n, 42n],
  ['two words', `0x${word('2a')}${word('1')}`, 42n, undefined],
])('reads %s', (_, returnData, first, single) => {
  expect(readWord(returnData)).toBe(first)
  expect(readSingleWord(returnData)).toBe(single)
})

test.each<[string, Hex, boolean]>([
  ['no return data', '0x', true],
  ['true', `0x${word('1')}`, true],
  ['any other non-zero word', `0x${word('2')}`, true],
  ['false', `0x${word('0')}`, false],
  ['two words', `0x${word('1')}${word('1')}`, false],
  ['less than a word', '0x01', false],
])('a transfer that returns %s', (_, returnData, expected) => {
  expect(isTransferAccepted(returnData)).toBe(expected)
})
