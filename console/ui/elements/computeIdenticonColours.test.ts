import { expect, test } from 'vitest'
import { computeIdenticonColours } from './computeIdenticonColours.ts'

test('an address has the same picture in any case, and others have another one', () => {
  const own = computeIdenticonColours('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  expect(computeIdenticonColours('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')).toEqual(own)
  const others = Array.from({ length: 200 }, (_, i) => JSON.stringify(computeIdenticonColours(`0x${i}`)))
  expect(new Set(others).size).toBe(200)
})
