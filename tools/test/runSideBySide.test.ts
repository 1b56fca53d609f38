import { expect, test } from 'vitest'
import { runSideBySide } from './runSideBySide.ts'

const node = (source: string) => [process.execPath, '-e', source]

test('a failure is reported, and the steps beside it go on', async () => {
  const lines: string[] = []
  const results = await runSideBySide(
    import.meta.dirname,
    [
      { name: 'broken', command: node('console.error("wrong"); process.exit(3)') },
      { name: 'whole', command: node('console.log(process.env.WORD)'), variables: { WORD: 'right' } },
    ],
    (line) => lines.push(line),
  )
  expect(results.map(({ name, passed }) => [name, passed])).toEqual([
    ['broken', false],
    ['whole', true],
  ])
  expect(lines.toSorted()).toEqual(['[broken] wrong', '[whole] right'])
})

test('a program that does not exist is an error', async () => {
  await expect(
    runSideBySide(import.meta.dirname, [{ name: 'none', command: ['edgebook-no-such-program'] }]),
  ).rejects.toThrow('ENOENT')
})
