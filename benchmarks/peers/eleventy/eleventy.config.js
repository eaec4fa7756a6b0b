import registry from "./registry.js";

export default function (config) {
  config.addGlobalData("registry", registry);
  config.setQuietMode(true);
  config.setFreezeReservedData(false);
  config.setUseGitIgnore(false);
  return {
    dir: { input: "site", includes: "../none", data: "../none" },
    templateFormats: ["11ty.js"],
  };
}
