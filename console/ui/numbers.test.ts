import { expect, test } from 'vitest'
import { createNumbers } from './numbers.ts'

test.each([
  ['en', '1,234,567.50', '1234567.50'],
  ['de', '1.234.567,50', '1234567,50'],
  ['fr', '1\u202f234\u202f567,50', '1234567,50'],
  ['en-IN', '12,34,567.50', '1234567.50'],
  ['ar-EG', '1,234,567.50', '1234567.50'],
  ['not a language', '1,234,567.50', '1234567.50'],
])('a number is read and typed as in the language %s', (language, shown, typed) => {
  const { localize, toTyped, fromTyped } = createNumbers(language)
  expect(localize('1234567.50')).toBe(shown)
  expect(toTyped('1234567.50')).toBe(typed)
  expect(fromTyped(typed)).toBe('1234567.50')
})

test('a point is never taken for a decimal comma, nor the other way round', () => {
  expect(createNumbers('de').fromTyped('1.5')).toBe('1,5')
  expect(createNumbers('de').fromTyped('1.234')).toBe('1,234')
  expect(createNumbers('en').fromTyped('1,5')).toBe('1,5')
})

test('a text that is no number is shown as it is typed', () => {
  const { localize } = createNumbers('de')
  expect(localize('1.')).toBe('1,')
  expect(localize('x1.5')).toBe('x1,5')
  expect(localize('')).toBe('')
})
