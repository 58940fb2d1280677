import type { ReactNode } from 'react'

export type DescriptionItem = readonly [name: string, value: ReactNode]

/** Lists names with their values and omits names without a value. */
export const DescriptionList = ({
  facts: items,
  className,
}: {
  facts: readonly DescriptionItem[]
  className?: string
}) => (
  <dl className={className}>
    {items
      .filter(([, value]) => Boolean(value))
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
