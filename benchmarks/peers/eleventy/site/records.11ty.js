export const data = {
  pagination: { data: "registry.records", size: 1, alias: "record", addAllPagesToCollections: false },
  permalink: ({ record }) => record.href,
  eleventyExcludeFromCollections: true,
};

export function render({ record }) {
  return JSON.stringify({ schema_version: "1.0", kind: "project", links: { self: record.href }, data: record.data });
}
