import { expect, test } from 'vitest'
import { countSlots, type Slot } from './countSlots.ts'

const asking: Slot = { holder: 'watch', life: 'second', until: 200 }
const now = 100

test.each<[string, Slot, boolean]>([
  ['of another watch', { holder: 'other', life: 'first', until: 101 }, false],
  ['of this watch since its last start', { ...asking, until: 101 }, false],
  ['of this watch before its last start', { ...asking, life: 'first' }, true],
  ['of a stream past its latest end', { holder: 'other', life: 'first', until: 100 }, true],
])('a slot %s', (_, slot, isOver) => {
  const taken = new Map([
    ['a', slot],
    ['b', asking],
  ])
  const over = isOver ? ['a'] : []
  expect(countSlots(taken, { ...asking, max: 1 }, now)).toEqual({ over, isFull: true })
  expect(countSlots(taken, { ...asking, max: 2 }, now)).toEqual({ over, isFull: !isOver })
  expect(countSlots(taken, { ...asking, max: 3 }, now)).toEqual({ over, isFull: false })
})
