/// Random programs whose files Realm Core 14.14, built for debugging, has opened, found to have the same content,
/// changed and verified: one file after each turn. When a change of the writer changes the files,
/// `tools/crash record PROGRAM` checks the new ones with Realm Core and writes their hashes here
/// (docs/verification.md).
package enum AcceptedFiles {
    package static let seeds = UInt64(1)...48
    /// The number of turns of each program.
    package static let turns = 3
    /// This file, and the text before the hashes.
    package static let path = #filePath
    package static let mark = "] " + "= [\n"

    /// SHA-256 of the consecutive files of a program, plain and encrypted, by seed.
    package static let hashes: [UInt64: [String]] = [
        1: [
            "b7811ead8f89fa82b34865ae08502bae67be6c16dd923a2d0478a1432ce5a18d",
            "5f0132cbd38792876c83a46e0ba4916c4a6e582f2c65e7afd6e2034a9f00c28c",
        ],
        2: [
            "28c10dfcee1463cf207e0911caaa92c43553d4273ab2936694947e6ef895a8de",
            "fa3203d3e4652ff6268bcc3164e0593976078badf460e986943ab9eebdc020a3",
        ],
        3: [
            "1afee9f4e1f2f9a046e17831b05a0b0ce44a0750c762d885e803d3ebfe02d693",
            "878309034501c7b3d6612ed626ea163cdc7069f1dd6303f4cd3f7d335d1d931c",
        ],
        4: [
            "c55d3238e4d37be4d7adffcd3ac3862ff455624c3c9962fd3e6447914edaca55",
            "a3d13f03e5014c675fb45411c55049201255bbfa29f49f7a7c5bae994eceb3c6",
        ],
        5: [
            "473cd8f41a967f04aa33c97bafb50b3f9e4eb182d567ee8221ccb024f378f296",
            "8ab4a69517f77d4e41cf88c10899272f1934b30d6753d8ac92f882aeda9a198c",
        ],
        6: [
            "43a28174d3e4eda5fe36f8f21b115e507b78a5a2739626d268d8c9aa572c1916",
            "20a1442ea436d03f3a051671e9d4710252042f05306952d1d8f51752ff9f2ddb",
        ],
        7: [
            "3e8eadf3a412af717f1f92b6efa29ede8bef57051ec9e206d885e54ae08a8056",
            "648e432d0f5cee086cecd2b415d843d759155d325c61a70fc7695e125b640b2c",
        ],
        8: [
            "25c6b05c5edc40a797585c51c8a20fa1ac0bafd9dacc0e4e6bc2561d69b1afb3",
            "62523c03e49e5e3a7c24331f8f522031e234eed40c9ee5b1056cb457dddb243e",
        ],
        9: [
            "2be78c3483a59fde1943fac725f08a4a11874ee04f119d7cb17cab40a14e1029",
            "e3b2cccc902dc44da1527abdc41b3e8e6792d1034217ca8262c657859cca437b",
        ],
        10: [
            "a8f46f2ead5b143ddf180fffa9884af18f74cb6c11d89401f79442b1a60db95e",
            "b5ec6a6d87cd3aca045453ec6384cc0ed6f874e0293d84617df6cda1a4ef3b71",
        ],
        11: [
            "978b8933ede765bc48802e5c5c889c3ec8c71ef1e473d580da2dd8d7eefcf3fa",
            "f46b8673c6a32f21a8b8f9ae408afa88b6cc2198bc9ca5b89f7877614ebecc18",
        ],
        12: [
            "1e7dbb9134955184ebc5a5ef11e429397650da0fce5629d208ac27a7e5ebfde4",
            "bbf523ab016150002e2df2c5f088333ad6570398cfaf77f5832eea37c31a0106",
        ],
        13: [
            "3e3b8adaa8cce3ca13713003730d7d6453f2ff7f4da202614585685491ea14db",
            "fdff2baed98f8ad4b71ff9dbf2bc5b3f0ed74bfe35dbc969817e4315630fe5eb",
        ],
        14: [
            "1d9721254f0d967c6dbaec4638539fa84ce0e1e83199ef205675dc11b725ad48",
            "af687f1b1b48e2e8ac8d58cf257faed6b7f5430ddb84f591c92d98f4b36e91af",
        ],
        15: [
            "3758ae10254a98cd4d442bb38d5b91ab6710ca41aa68f52741a391715985defc",
            "dc83558e62fa273083e2904e7962b99360e6fc914b402cf1e3fce4fc3bf6467e",
        ],
        16: [
            "a896ca068000cd816bc9e7658a53e0c323b56ca7fb9b42420ea23ebdd26e1222",
            "3897e7d7e96818b9de1493cb0a8cdd882bcb115cca62957fc8c1f80d116b6257",
        ],
        17: [
            "ee5a0e71aaa51bab51e4fb8a26a7f03cd77ecbd449a078881a45ef23e01305d0",
            "82bf866757394a3d6e9bde519c3316e8f1817079bec06f0ff7b3de5deb49be92",
        ],
        18: [
            "a16df46de8f78ba357f0f7a74a6f1fa235fa4e4848b1c8bc6d9ca7102867a88c",
            "b2c324165ada2d6200cd1a8a31be808f774259c5d483b0cce4ab8f12f12aeb22",
        ],
        19: [
            "e992ddf49e7e0d4145b16cbbe50491577d77d294d950256795f91279aacb3e52",
            "09accb9cde834b774ce98fb83a311e79fb04fe1eda0827d30caec29a8ac34dff",
        ],
        20: [
            "5b08466fa2c5054080a8374ca838ea75306baaf86b13fe5ed4054ac396cbcb56",
            "9cce772bdb952fdbf7cab458153c755a6cb0c667d26813303153bf10a69846f6",
        ],
        21: [
            "62238c1eaf5e516aa26c9baa196eb5ee6aa13139dd920637a74c2f5d1a377df0",
            "124c367cd8d791e83a60c2a577f4c7763f6b9cb7529b2f601d82876de18866cb",
        ],
        22: [
            "e69bd3074bc4545a5ec4847927c4cf0b0a70f459d72426e83dd5d52355340bf2",
            "315373677e889c3e820677bddf59a9d6f32e52b0081ae68d7494615b658a88f9",
        ],
        23: [
            "ec04ea05ed651f5825ee5e870ee52cf7b811ab07d79dcf82b07190f4ae774b75",
            "ebe6e59968436362d9d450a06ecf55ca5381c4e6d58179fd6b974b8a3290e7b1",
        ],
        24: [
            "623bf632251520894f41cac4537d9b53be9c0ea8e13f3e785c3807b70e250d12",
            "0406001d0c6450a2aaf4b4448ebbfd538a0aace1af4d7fa870574cee1e085b81",
        ],
        25: [
            "42ac0cab44a5224535676d2ebcb8c068fd18b28767dc4441536a97a0ffc46a8b",
            "0232c4bdee9e6dcb8ae9a35d8b1574ed5ae480df96217c41708aad198112b02c",
        ],
        26: [
            "f5daecc1241e7eb939ad9fbc822b901ed64088d7045630bd06cadc8e34e10707",
            "023e223015239553d87fbe7b33a045890c1667cec772ee7824a936790ca1a7b4",
        ],
        27: [
            "0889cb209e17dc193232e4847c2377b858edef735aebb30d7f7c5ae4cec0fc82",
            "f8cfe6f6d0dfc70046fdbbf36a5a9228bbb8b4b705fef2736c223644c8a13ea6",
        ],
        28: [
            "34a9ec12c3e46991d3c1060c44dfad8641a8b82d44c9f9f4af58764529603390",
            "d5a13faa46de246395638e94bdf8e4a8b8aa1e84292ee9fc003c5501e7321c78",
        ],
        29: [
            "79b3fd3cf0342e57f95b0ef3191244363ff19d94e7034d5cf38e34d693dfda10",
            "66e1a12b778a4fa8f4db73ab78cc7ac041cf796d4b30400f161c08f4b2c28be1",
        ],
        30: [
            "cb16548f91c9cf2608fadcd6b85facfe14550012eb08fba6c7ca38b0231028c6",
            "5f6ff0fbb4b947ae7e33747df0934a72163470d76a72af7109327d30ab93117f",
        ],
        31: [
            "c2d9ef39fce9e6678e57b8f79dd3413123e3cfb05e31fc72f7de859a4b3808db",
            "38f1887c7322eddc9b940a3c557d79c204721adba30dcabfa2c1ac3546deb993",
        ],
        32: [
            "8c7b3b7e735603e0500b6d949f05e6e059024a5a21b216ee47d4ff85d7e2268b",
            "ddf2195c136a9341f4dc7c5ef191747c8112d59df744108599c1e600d17c6658",
        ],
        33: [
            "87a5d364aa95015b5e71d47c97a136a6934277fc7c533a9ddde88e3dd7c1bca9",
            "ed12babe40350512be8f958a2759582619212883543f8253924812b9119beac5",
        ],
        34: [
            "728d7a49069288b5a459c57de4e782d7523f100674e4e63899b2040ffa93f478",
            "a5726a5667ac76b1f4fd3a38826e76e800ce984ed36914678b016d512148edea",
        ],
        35: [
            "d103db90ab3ffa1a1eca53254c1532817433bec05517735de0f6f37bba65dc89",
            "6bd514b2f335ab080a1222f66bfc4de7e99dbfbb515552e00d6fa20c8fc74329",
        ],
        36: [
            "184b9b718cfe8f690ef3b189aa16c92561eb0a4fab663a313a49759fa52ac117",
            "c2846f8e16b8bce7ea83fc8c5a01dc0fda2fee27b330563113812cafca34213a",
        ],
        37: [
            "4a4193b546d4828d9a103d9b20c6f292677bae3dff2817df97f7e13939702690",
            "201f607512d1ff718bbe54b53fa56f4f953f81be22463e954fd81bb077d0debf",
        ],
        38: [
            "e12a0f9a75b3778e71309252d4f4535f4ff826bbbad271c45b816867422b2bc4",
            "ea10d010e5b5dd01c2d0e9725b71a4d477959e1438ff9f633e4fdb836340a312",
        ],
        39: [
            "a6769b52024348f0f863f8ec5668fe0d5ab165251bac54cc4dc88aaca0db8fb6",
            "042e93f8dc2dcd4084e799a9994da44c6d4c5601e41fb79abe0de161ac716f8f",
        ],
        40: [
            "deb6e23062626f1d7572d9daeb4d8274fd747132d541b5694afca0f500fbb637",
            "8bde941f652e2cb7a0bb1c5421514c6eae60162a49378b33c684ec58d2d1426a",
        ],
        41: [
            "80a8848dd972693abd8aa3438d8f71fd4de7af0713c3bb56ff5ab0ecf5812359",
            "27bcf7ee0c3a3b59abb50039a780b1d32be3890b865211ba4193daf661298794",
        ],
        42: [
            "83f9dbebbb3b3858d9f9c1432bf4caaacf38255363e4d3f76dc54c5026076adb",
            "70fa072b9913a861e93366b86d11bddcbf2ee544b242303f210715e400010988",
        ],
        43: [
            "89cd7e3caa1da118f7c1851085d7cd2662b8dacd0664ca35956bdff93ae7c12d",
            "b64b74b3762be4d715f62691c553f662269bbf619b8c41a2f2859ca0d06579b4",
        ],
        44: [
            "0f7cc19249f152f0848849f3c7058353d6eeb4368defe348afdee6bc450580b5",
            "c15d273178087774a2a959dcee0da0fbc6d89f38cc57282a0a9c813f295c3eca",
        ],
        45: [
            "e0c0efd78ebbe35dd0439b6e4d21628714fcf8fc87c7955bb83fdd6e5b5c7769",
            "7ac012ad3dd224deb72cc20cd9afe9788d79baaf2a5073cd4ab91a0bcafc0b4f",
        ],
        46: [
            "b8908a0c98b5007f318f0936c871c822313a0fb27cc169c9661e2eb507091921",
            "808cf0a2cfc810d4f7e7c21d4eb0ec91f3b6916a5e906ea707e830a59591aa9a",
        ],
        47: [
            "b98686b578b8abdc89751e6b4b2df33c4578387e36ce86056635fcc079c8b14e",
            "c7c0f3fbffc53b6ec132171f80e42f139592925db0c953f902ea15c416da05a7",
        ],
        48: [
            "103c06d9bd857119e86e4bfc8b8ab4a77fe55e9fe598bf57f0989061a169f879",
            "d8f11554d5a7a3e43e1e9bbb9092f79208f0888da4453187358a3c8ef6a37856",
        ],
    ]
}
