export const data = {
  pagination: { data: "registry.pages", size: 1, alias: "list", addAllPagesToCollections: false },
  permalink: ({ list }) => list.path,
  eleventyExcludeFromCollections: true,
};

export function render({ list }) {
  return `${JSON.stringify(list.head).slice(0, -1)},"data":[${list.data.join(",")}]}`;
}
