import { Fragment } from 'react'

/** Facts in one line; each keeps its own direction. */
export const Dotted = ({ parts }: { parts: readonly string[] }) =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{part}</bdi>
    </Fragment>
  ))
