/** A random sample without repetition: `count` members, or all of them when there are fewer. */
export const pickMutations = <Member>(members: readonly Member[], count: number, random: () => number): Member[] => {
  const rest = [...members]
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [picked] = rest.splice(Math.floor(random() * rest.length), 1)
    return picked as Member
  })
}
