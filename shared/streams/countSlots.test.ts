import { expect, test } from 'vitest'
import { countSlots, type Slot } from './countSlots.ts'

const asking: Slot = { holder: 'watch', life: 'second', until: 200 }
const now = 100

test.each<[string, Slot, boolean]>([
  ['of another watch', { holder: 'other', life: 'first', until: 101 }, false],
  ['of this watch in this life', { ...asking, until: 101 }, false],
  ['of this watch before it was started anew', { ...asking, life: 'first' }, true],
  ['of a stream that must have ended', { holder: 'other', life: 'first', until: 100 }, true],
])('a slot %s', (_, slot, isOver) => {
  const taken = new Map([
    ['a', slot],
    ['b', asking],
  ])
  expect(countSlots(taken, asking, now)).toEqual({ over: isOver ? ['a'] : [], held: isOver ? 1 : 2 })
})
