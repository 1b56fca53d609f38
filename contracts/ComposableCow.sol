// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {ConditionalOrder} from "./ConditionalOrder.sol";

interface Settlement {
    function domainSeparator() external view returns (bytes32);
}

interface ValueFactory {
    function getValue(bytes calldata data) external view returns (bytes32);
}

interface SwapGuard {
    function verify(
        ConditionalOrder.Order calldata order,
        bytes32 context,
        ComposableCow.Params calldata params,
        bytes calldata offchainInput
    ) external view returns (bool);
}

interface Wallet {
    function supportsInterface(bytes4 id) external view returns (bool);
}

/// Registry of conditional orders of contract wallets, and the verifier of their orders. Same interface as the contract
/// that public networks have at `composableCow` of shared/networks.
contract ComposableCow {
    struct Params {
        ConditionalOrder handler;
        bytes32 salt;
        bytes staticInput;
    }

    struct Payload {
        bytes32[] proof;
        Params params;
        bytes offchainInput;
    }

    struct Proof {
        uint256 location;
        bytes data;
    }

    error ProofNotAuthed();
    error SingleOrderNotAuthed();
    error SwapGuardRestricted();
    error InvalidHandler();
    error InvalidFallbackHandler();
    error InterfaceNotSupported();

    event MerkleRootSet(address indexed owner, bytes32 root, Proof proof);
    event ConditionalOrderCreated(address indexed owner, Params params);
    event SwapGuardSet(address indexed owner, SwapGuard swapGuard);

    bytes4 private constant GENERATOR_INTERFACE = ConditionalOrder.getTradeableOrder.selector;
    /// `domainVerifiers` and `setDomainVerifier` of the extensible fallback handler
    bytes4 private constant MUXER_INTERFACE = bytes4(keccak256("domainVerifiers(address,bytes32)"))
        ^ bytes4(keccak256("setDomainVerifier(bytes32,address)"));
    bytes32 private constant ORDER_TYPE_HASH = 0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489;

    bytes32 public immutable domainSeparator;
    mapping(address owner => bytes32) public roots;
    mapping(address owner => mapping(bytes32 paramsHash => bool)) public singleOrders;
    mapping(address owner => SwapGuard) public swapGuards;
    /// values that a factory computed at creation
    mapping(address owner => mapping(bytes32 context => bytes32)) public cabinet;

    constructor(Settlement settlement) {
        domainSeparator = settlement.domainSeparator();
    }

    function setRoot(bytes32 root, Proof calldata proof) public {
        roots[msg.sender] = root;
        emit MerkleRootSet(msg.sender, root, proof);
    }

    function setRootWithContext(bytes32 root, Proof calldata proof, ValueFactory factory, bytes calldata data)
        external
    {
        setRoot(root, proof);
        cabinet[msg.sender][bytes32(0)] = factory.getValue(data);
    }

    function create(Params calldata params, bool dispatch) public {
        if (address(params.handler) == address(0)) revert InvalidHandler();
        singleOrders[msg.sender][hash(params)] = true;
        if (dispatch) emit ConditionalOrderCreated(msg.sender, params);
    }

    function createWithContext(Params calldata params, ValueFactory factory, bytes calldata data, bool dispatch)
        external
    {
        create(params, dispatch);
        cabinet[msg.sender][hash(params)] = factory.getValue(data);
    }

    function remove(bytes32 paramsHash) external {
        singleOrders[msg.sender][paramsHash] = false;
        cabinet[msg.sender][paramsHash] = bytes32(0);
    }

    function setSwapGuard(SwapGuard swapGuard) external {
        swapGuards[msg.sender] = swapGuard;
        emit SwapGuardSet(msg.sender, swapGuard);
    }

    /// Called by the wallet's fallback handler, which has checked that `orderHash` is that of `encodedOrder`.
    function isValidSafeSignature(
        address owner,
        address sender,
        bytes32 orderHash,
        bytes32 separator,
        bytes32,
        bytes calldata encodedOrder,
        bytes calldata encodedPayload
    ) external view returns (bytes4) {
        Payload memory payload = abi.decode(encodedPayload, (Payload));
        bytes32 context = authorize(owner, payload.params, payload.proof);
        ConditionalOrder.Order memory order = abi.decode(encodedOrder, (ConditionalOrder.Order));
        checkGuard(owner, context, payload.params, payload.offchainInput, order);
        payload.params.handler.verify(
            owner, sender, orderHash, separator, context, payload.params.staticInput, payload.offchainInput, order
        );
        return 0x1626ba7e;
    }

    /// The order that is tradeable now, and the signature with which the owner accepts it.
    function getTradeableOrderWithSignature(
        address owner,
        Params calldata params,
        bytes calldata offchainInput,
        bytes32[] calldata proof
    ) external view returns (ConditionalOrder.Order memory order, bytes memory signature) {
        bytes32 context = authorize(owner, params, proof);
        try params.handler.supportsInterface(GENERATOR_INTERFACE) returns (bool isGenerator) {
            if (!isGenerator) revert InterfaceNotSupported();
        } catch {
            revert InterfaceNotSupported();
        }
        order = params.handler.getTradeableOrder(owner, msg.sender, context, params.staticInput, offchainInput);
        checkGuard(owner, context, params, offchainInput, order);
        Payload memory payload = Payload({proof: proof, params: params, offchainInput: offchainInput});
        try Wallet(owner).supportsInterface(MUXER_INTERFACE) returns (bool isMuxer) {
            if (!isMuxer) revert InvalidFallbackHandler();
            signature = abi.encodeWithSignature(
                "safeSignature(bytes32,bytes32,bytes,bytes)",
                domainSeparator,
                ORDER_TYPE_HASH,
                abi.encode(order),
                abi.encode(payload)
            );
        } catch {
            signature = abi.encode(order, payload);
        }
    }

    function hash(Params memory params) public pure returns (bytes32) {
        return keccak256(abi.encode(params));
    }

    /// @return context hash of the parameters, or zero for a member of the owner's merkle tree
    function authorize(address owner, Params memory params, bytes32[] memory proof)
        private
        view
        returns (bytes32 context)
    {
        if (proof.length > 0) {
            bytes32 leaf = keccak256(bytes.concat(hash(params)));
            if (!MerkleProof.verify(proof, roots[owner], leaf)) revert ProofNotAuthed();
        } else {
            context = hash(params);
            if (!singleOrders[owner][context]) revert SingleOrderNotAuthed();
        }
    }

    function checkGuard(
        address owner,
        bytes32 context,
        Params memory params,
        bytes memory offchainInput,
        ConditionalOrder.Order memory order
    ) private view {
        SwapGuard guard = swapGuards[owner];
        if (address(guard) == address(0)) return;
        if (!guard.verify(order, context, params, offchainInput)) revert SwapGuardRestricted();
    }
}
