import { encodeErrorResult, parseAbi, RpcRequestError } from 'viem'
import { expect, test } from 'vitest'
import { decodeRevert } from './findRevertReason.ts'

const abi = parseAbi(['error Error(string reason)'])

const revertWith = (reason: string) =>
  new RpcRequestError({
    body: {},
    url: 'http://node',
    error: { code: 3, message: `execution reverted: ${reason}`, data: encodeErrorResult({ abi, args: [reason] }) },
  })

test.each([
  ['is kept as it is', 'GPv2: limit price not respected', 'GPv2: limit price not respected'],
  ['has no NUL and no line', 'a\0b\nc\td', 'a b c d'],
  ['is cut', 'w'.repeat(300_000), 'w'.repeat(200)],
  ['is not cut within a character', `${'w'.repeat(199)}😀`, `${'w'.repeat(199)}\ufffd`],
  ['may be empty', '', ''],
])('the revert reason of a contract %s', (_, reason, expected) => {
  expect(decodeRevert(revertWith(reason))).toBe(expected)
})
