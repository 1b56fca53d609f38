import { expect, test } from 'vitest'
import { computeFolderFaults } from './computeFolderFaults.ts'

const paths = (count: number, folder: string, ending = 'ts') =>
  Array.from({ length: count }, (_, i) => `${folder}/file${i}.${ending}`)

test('names folders with more than 20 sources, largest first', () => {
  expect(computeFolderFaults([...paths(21, 'shared/a'), ...paths(22, 'shared/b', 'tsx')])).toEqual([
    'shared/b: 22 sources, at most 20; group them in subfolders',
    'shared/a: 21 sources, at most 20; group them in subfolders',
  ])
})

test('counts neither tests nor subfolders nor other files', () => {
  const others = [...paths(9, 'shared/a', 'test.ts'), ...paths(9, 'shared/a/b'), ...paths(9, 'shared/a', 'json')]
  expect(computeFolderFaults([...paths(20, 'shared/a'), ...others])).toEqual([])
})
