import { afterEach, describe, expect, test, vi } from 'vitest'
import { storage } from './storage.ts'

afterEach(() => vi.unstubAllGlobals())

describe('storage', () => {
  test('returns stored values', () => {
    const stored = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
    storage.set('theme', 'dark')
    expect(storage.get('theme')).toBe('dark')
    storage.remove('theme')
    expect(storage.get('theme')).toBeNull()
  })

  test('remembers for the page alone where site data is blocked', () => {
    vi.stubGlobal(
      'localStorage',
      new Proxy(
        {},
        {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError')
          },
        },
      ),
    )
    storage.set('theme', 'dark')
    expect(storage.get('theme')).toBe('dark')
    storage.remove('theme')
    expect(storage.get('theme')).toBeNull()
  })
})
