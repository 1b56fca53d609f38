import { type ESTree, parseSync } from 'vite'

/** Names that a module declares and exports, types among them; `default` and re-exports are left out. */
export const readExports = (path: string, text: string): string[] => {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const names = program.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? readNames(statement.declaration) : [],
  )
  // overloads and a type beside a value of the same name count once
  return [...new Set(names)]
}

const readNames = (declaration: ESTree.Declaration): string[] => {
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : readPattern(id)))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

const readPattern = (pattern: ESTree.BindingPattern): string[] =>
  pattern.type === 'ObjectPattern'
    ? pattern.properties.flatMap((property) =>
        property.type === 'Property' && property.value.type === 'Identifier' ? [property.value.name] : [],
      )
    : []
