import css from './Avatar.module.css'

/** Returns the first letters of the first and the last word of a name. */
const getInitials = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}

/** Shows a person's photo, or their initials without one. The name stands beside it. */
export const Avatar = ({ name, photo }: { name: string; photo: string | undefined }) => (
  <span className={css.avatar} aria-hidden="true">
    {photo ? (
      <img src={photo} alt="" width="32" height="32" loading="lazy" decoding="async" />
    ) : (
      getInitials(name)
    )}
  </span>
)
